// SPDX-License-Identifier: BSD-3-Clause
// Loops that follow each other slice by slice are one, where one of them has no carry and nothing else comes between;
// the numbers stay the interpreter's.
#include "same.hpp"

using namespace test;

namespace {

using table = array<double, 5, 3>;
using row = array<double, 3>;
using number = array<double>;
using both_rows = std::pair<table, table>;

/// How many loops are there, in all frames?
template <class F, class... P> constexpr int loops(F const&, P const&...) {
  auto const& p = compiler::program<F, P...>::value;
  int found = 0;
  for (int s = 0; s < p.n_steps; ++s) found += planning::is<planning::scan_step>(p.steps[s]);
  return found;
}
template <class F> void runs(int n_loops, F f) {
  auto const x = some<table>(1, 0.1, 0.9), y = some<table>(2, 0.1, 0.9);
  CHECK(loops(f, x, y) == n_loops);
  as_eager(f, x, y);
}
/// sin of each row, and its sum.
constexpr auto waves = [](table x) { return map([](row a) { return std::pair{row(sin(a)), number(sum(a))}; }, x); };
constexpr auto products = [](table x, table y) {
  return map([](std::pair<row, row> const& ab) { return row(ab.first * ab.second); }, both_rows{x, y});
};
constexpr auto running = [](row s, row x) {
  row const y = s * x + 1.0;
  return std::pair{y, y};
};

}  // namespace

TEST_CASE("each slice, and each of these") {
  runs(1, [](table x, table) { return map([](row a) { return row(2.0 * a); }, waves(x).first); });
  runs(1, [](table x, table y) { return products(products(waves(x).first, y), x); });
  // of what is read elsewhere too, the rest is handed on
  runs(1, [](table x, table y) {
    auto const [a, sums] = waves(x);
    return std::tuple{products(a, y), sums, sum(sums)};
  });
}
TEST_CASE("one of them has a carry, whose way both go") {
  runs(1, [](table x, table) { return scan(running, row{1, 2, 3}, waves(x).first); });
  runs(1, [](table x, table y) { return products(scan(running, row{1, 2, 3}, x).second, y); });
  // the way back is one loop; there, what the first one gave is read again, so it is memory
  runs(3, [](table x, table y) {
    return grad<0, 1>([](table x, table y) { return sum(scan(running, row{1, 2, 3}, products(x, y)).first); })(x, y);
  });
}
TEST_CASE("what the second one reads is written before") {
  runs(1, [](table x, table y) {
    auto const a = waves(x).first;
    row const first = sum<0>(exp(y)) / 40.0;
    return scan(running, first, a);
  });
}
TEST_CASE("loops that stay") {
  // both have a carry
  runs(2, [](table x, table) { return scan(running, row{3, 2, 1}, scan(running, row{1, 2, 3}, x).second).first; });
  // the second one's first carry, or what it captures, is of the first one
  runs(2, [](table x, table) {
    auto const [a, sums] = waves(x);
    return scan(running, row(sum<0>(a)), a).first;
  });
  runs(2, [](table x, table) {
    auto const [a, sums] = waves(x);
    number const all = sum(sums);
    return map([&](row b) { return row(b * all); }, a);
  });
  // slices of what was computed of slices
  runs(2, [](table x, table) { return map([](row a) { return row(2.0 * a); }, cumsum<0>(waves(x).first)); });
  // a result that the second one reads too is memory anyway
  runs(2, [](table x, table y) {
    auto const a = map([](row b) { return row(sin(b)); }, x);
    return std::pair{products(a, y), a};
  });
}
