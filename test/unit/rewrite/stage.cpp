// SPDX-License-Identifier: BSD-3-Clause
// A sum over axes of which another sum has some goes in two stages, where both read what one kernel computes.
#include "same.hpp"

using namespace test;

namespace {

template <class F, class... P> constexpr int steps(F const&, P const&...) {
  return compiler::program<F, P...>::value.n_steps;
}
template <class... P, class F> constexpr int reductions(F const& f) {
  auto const text = graph_text<after<"stage">, P...>(f);
  int n = 0;
  for (auto i = text.find("= sum"); i != text.npos; i = text.find("= sum", i + 1)) ++n;
  return n;
}
using x_t = array<float, 300, 24>;

constexpr auto with_rows = [](x_t x, x_t y) {
  auto d = sin(x - y);
  return std::pair{sum(d * d), sum<1>(d * y)};
};
constexpr auto with_columns = [](x_t x, x_t y) {
  auto d = sin(x - y);
  return std::pair{mean(square(d)), sum<0>(d)};
};
constexpr auto extremes = [](x_t x, x_t y) { return std::tuple{max(x * y), max<1>(x * y), min<0>(x), prod<1>(y)}; };
constexpr auto gradient = [](x_t x, array<float, 24> b) {
  return value_and_grad([&](array<float, 24> b) { return sum(log1p(square(x + b))); })(b);
};

}  // namespace

TEST_CASE("an energy beside sums of rows or of columns is one kernel, and a sum of what it leaves") {
  auto x = some<x_t>(1), y = some<x_t>(2);
  static_assert(reductions<x_t, x_t>(with_rows) == 3 && steps(with_rows, x_t(), x_t()) == 2);
  static_assert(reductions<x_t, x_t>(with_columns) == 3 && steps(with_columns, x_t(), x_t()) == 2);
  as_eager(with_rows, x, y);
  as_eager(with_columns, x, y);
  as_eager(extremes, x, y);
  as_eager(gradient, x, some<array<float, 24>>(3));
}
TEST_CASE("sizes with names, whole numbers, three axes") {
  using named = array<double, "rows"_n, 9>;
  for (extent rows : {extent(0), extent(1), extent(50)})
    as_eager([](named x) { return std::pair{sum(x * x), sum<0>(x)}; }, some<named>(1, {rows, 9}));
  as_eager(
      [](array<int, 20, 30, 4> x) {
        return std::tuple{sum(x), sum<0, 2>(x * 3), sum<1>(x)};
      },
      some<array<int, 20, 30, 4>>(2, -9, 9));
}
TEST_CASE("what is no part of such a kernel stays in one") {
  // the second waits for the first
  auto waits = [](x_t x) { return sum(exp(x - max<1>(x, keepdims)) / sum<1>(x, keepdims)); };
  CHECK(reductions<x_t>(waits) == 2);
  // of other arrays; and too few elements in the first stage
  auto apart = [](x_t x, x_t y) { return std::pair{sum(x), sum<1>(y)}; };
  CHECK(reductions<x_t, x_t>(apart) == 2);
  auto few = [](array<float, 300, 3> x) { return std::pair{sum(x), sum<1>(x)}; };
  CHECK(reductions<array<float, 300, 3>>(few) == 2);
}
