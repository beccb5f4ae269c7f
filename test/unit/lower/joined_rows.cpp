// SPDX-License-Identifier: BSD-3-Clause
// Rows that are summed along registers, some of them together: all that is summed of a row, beside what is computed of
// its sums, for rows that end in a register and that do not, and numbers of rows that are no multiple of one.
#include <omp.h>

#include "same.hpp"

using namespace test;

namespace {

template <class F, class... A> void same_by_all(F f, A const&... x) {
  near(jit(f)(x...), f(x...), 5e-6);
  omp_set_num_threads(1);
  auto const one = jit(f)(x...);
  omp_set_num_threads(2);
  CHECK(same_bits(jit(f)(x...), one));
}

template <class T, extent Rows, extent N> void dots() {
  using table = array<T, Rows, N>;
  auto const x = some<table>(1, 1, 9);
  auto const r = some<array<T, N>>(3, 1, 9);
  same_by_all([](table x, array<T, N> r) { return std::tuple{dot(x, r), max<1>(x - r) * T(2)}; }, x, r);
  // kernels of two operands, of which none, the second and the first stands still
  same_by_all([](table x) { return sum<1>(x * flip<0>(x)); }, x);
  same_by_all([](table x, array<T, N> r) { return dot(x, r); }, x, r);
  same_by_all([](table x, array<T, N> r) { return max<1>(r - x); }, x, r);
  same_by_all([](table x) { return sum<1>(x * x); }, x);
}
template <class T, extent Rows, extent N> void sums() {
  using table = array<T, Rows, N>;
  using row = array<T, N>;
  using column = array<T, Rows>;
  auto const x = some<table>(1, 1, 9), y = some<table>(2, 1, 9);
  auto const r = some<row>(3, 1, 9);
  auto const c = some<column>(4, 1, 9);
  same_by_all(
      [](table x, table y, row r) {
        return std::tuple{sum<1>(x * y - r), max<1>(x - y), min<1>(x + r), sum<1>(x) * T(3) + max<1>(x - y)};
      },
      x, y, r);
  // with numbers of the row, before and behind the sum
  same_by_all(
      [](table x, row r, column c) {
        auto by_row = expand_dims<1>(c);
        return std::tuple{sum<1>((x - by_row) * r) - c, sum<1>(x * (by_row + T(2)))};
      },
      x, r, c);
  // elements beside their sum, where their operand was too
  auto beside = [](table x, row r) {
    auto y = x * r - T(1);
    return std::pair{y, sum<1>(y)};
  };
  same_by_all(beside, x, r);
  auto const want = beside(x, r);
  auto z = x;
  near(jit(beside)(std::move(z), r), want, 5e-6);
  // by where the element is, and where it lies otherwise
  same_by_all([](table x) { return sum<1>(where(arange<T, N>() < T(N / 2), x, T(1))); }, x);
  same_by_all([](table x, row r) { return sum<1>(flip<1>(x) * r); }, x, r);
}
/// Rows of rows, so that the last loop is short.
template <class T, extent N> void of_three_axes() {
  using cube = array<T, 5, 11, N>;
  auto const x = some<cube>(1, 1, 9);
  auto const y = some<array<T, 5, 1, N>>(2, 1, 9);
  same_by_all([](cube x, array<T, 5, 1, N> y) { return sum<2>(x * y); }, x, y);
  same_by_all([](cube x) { return sum<2>(slice<range{0, 5}, range{1, 10}, range{0, N}>(x)); }, x);
}

}  // namespace

TEST_CASE_TEMPLATE("rows of less than a register and more", T, TEST_FLOATS) {
  sums<T, 37, 7>();
  sums<T, 1003, 8>();
  sums<T, 41, 17>();
  sums<T, 37, 127>();
}
TEST_CASE("rows of f32 that fit registers, or end half way") {
  dots<float, 37, 3>();
  dots<float, 37, 12>();
  dots<float, 48, 16>();
  dots<float, 15, 64>();
  dots<float, 20, 129>();
}
TEST_CASE("rows of other types") {
  dots<double, 8, 4>();
  dots<double, 37, 64>();
  dots<std::int32_t, 41, 12>();
  dots<std::int32_t, 37, 40>();
  dots<std::int64_t, 41, 9>();
}
TEST_CASE_TEMPLATE("rows of rows", T, TEST_FLOATS) {
  of_three_axes<T, 13>();
  of_three_axes<T, 40>();
}
namespace {
/// Products of numbers of rows, added to others behind a result that is written where one of their factors was.
template <extent N> void over_a_factor() {
  constexpr extent rows = 1003;
  using table = array<float, rows, N>;
  using column = array<float, rows>;
  auto const x = some<table>(1, 1, 9);
  auto const a = some<column>(2, 1, 9), b = some<column>(3, 1, 9), c = some<column>(4, 1, 9);
  auto by_sum = [](table x, column a, column b, column c) {
    auto p = a * sum<1>(x);
    return std::tuple{p + c, p + b};
  };
  auto beside_sum = [](table x, column a, column b, column c) {
    auto s = sum<1>(x), p = a * b;
    return std::tuple{s, p + c, p + s};
  };
  auto check = [&](auto f) {
    auto const want = f(x, a, b, c);
    auto first = a, second = b;
    near(jit(f)(x, std::move(first), b, c), want, 5e-6);
    near(jit(f)(x, a, std::move(second), c), want, 5e-6);
  };
  check(by_sum);
  check(beside_sum);
}
}  // namespace
TEST_CASE("a result of rows where a factor was that is read behind it") {
  over_a_factor<5>();
  over_a_factor<16>();
  over_a_factor<40>();
  over_a_factor<300>();
}
TEST_CASE("what is not a number once in a row is no other row's") {
  using table = array<float, 33, 12>;
  auto const x = table::build([](float* o) {
    for (extent i = 0; i < 33 * 12; ++i) o[i] = i % 13 == 5 ? float(INFINITY) : float(i % 7);
  });
  same_by_all([](table x) { return std::pair{sum<1>(x), min<1>(x)}; }, x);
  same_by_all([](table x) { return sum<1>(where(x > 10.f, 0.f, x)); }, x);
}

namespace {
// a row's place beside its elements' places: registers of half a row have these twice, and not on and on
constexpr auto without_own = [](auto const& x) {
  constexpr extent rows = std::remove_cvref_t<decltype(x)>::type.e[0], n = std::remove_cvref_t<decltype(x)>::type.e[1];
  auto const own = broadcast_to<3, rows, n>(reshape<rows, 1>(arange<int, rows>()));
  auto const all = broadcast_to<3, rows, n>(x);
  return std::pair{sum<2>(where(own == broadcast_to<3, rows, n>(arange<int, n>()), 0, all)),
                   max<2>(where(own == broadcast_to<3, rows, n>(arange<int, n>()), -9, all))};
};
template <class T, extent... N> void check_without_own() {
  ([] { as_eager(without_own, some<array<T, 37, N>>(1)); }(), ...);
}
}  // namespace
TEST_CASE("rows of half a register and more that meet the places of their elements") {
  check_without_own<double, 3, 4, 5, 7, 8, 9>();
  check_without_own<float, 4, 7, 8, 9, 15, 16, 17>();
}
