// SPDX-License-Identifier: BSD-3-Clause
// The tests that every row gets, at a point: the samples of its domain under value and vjp, as straight-line code,
// against the interpreter. A row without a form for single numbers must be refused, and says so in the printed table.
#include "unit/fused/rows.hpp"

namespace {

using namespace etna;
using namespace test::fused;

/// The numbers of a tree of small arrays, in order.
template <class T> void pour(T const& t, std::vector<double>& to) {
  if constexpr (any_small<T>) to.insert(to.end(), t.begin(), t.end());
  else std::apply([&](auto const&... x) { (pour(x, to), ...); }, t);
}

template <class Program, class... S> int compare_at_point(numbers<S> const&... in) {
  using code = rewrite::scalars<Program, numbers<S>...>;
  if constexpr (code::value.wrong == 62) return 0;
  else {
    std::vector<double> is, should;
    std::apply([&](auto const&... x) { pour(point<numbers<S>...>(Program{})(x...), is); }, std::tuple_cat(tree::leaves(in)...));
    for (auto const& l : test::leaves(Program{}(in...))) should.insert(should.end(), l.x.begin(), l.x.end());
    REQUIRE(is.size() == should.size());
    for (std::size_t i = 0; i < is.size(); ++i) {
      CAPTURE(i);
      if (!(std::isnan(is[i]) && std::isnan(should[i]))) CHECK(is[i] == doctest::Approx(should[i]).epsilon(1e-11).scale(1));
    }
    return int(is.size());
  }
}
template <int Op> int row_at_a_point() {
  constexpr int n = ops::domains.at[Op]().n;
  std::string const row = ops::row_of(Op).name;
  CAPTURE(row);
  int compared = 0;
  if constexpr (n > 0)
    [&]<int... I>(std::integer_sequence<int, I...>) {
      compared = compare_at_point<program<value_of, vjp_of>>(numbers<sampled<Op, I>>::some()...);
    }(std::make_integer_sequence<int, n>{});
  if (n > 0) std::printf("%-14s %9d\n", row.c_str(), compared);
  return compared > 0;
}

}  // namespace

TEST_CASE("point: every row against the interpreter") {
  std::printf("%-14s %9s\n", "row", "numbers");
  int rows = 0;
  [&]<int... I>(std::integer_sequence<int, I...>) { rows = (row_at_a_point<I>() + ...); }(std::make_integer_sequence<int, int(ops::table.size())>{});
  CHECK(rows >= 45);
}
