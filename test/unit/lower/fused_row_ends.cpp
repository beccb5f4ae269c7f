// SPDX-License-Identifier: BSD-3-Clause
// What is left of rows behind registers: the last register ends where the row ends, or half of one is a row.
#include <omp.h>

#include "same.hpp"

using namespace test;

namespace {

constexpr extent rows = 37;
/// Rows, columns with results beside them, and what is alike in all rows, or along each.
constexpr auto walked = [](auto x, auto y, auto v) {
  using T = typename decltype(x)::value_type;
  auto z = where(x > v, x - y, y / v);
  return std::tuple{z, sum<0>(z), max<0>(x) - min<0>(z), x * expand_dims<1>(arange<T, rows>()) + v};
};
/// Sums of few rows: of one axis, and of several that do not lie side by side.
constexpr auto small_sums = [](auto x, auto v) {
  auto y = x * v;
  return std::tuple{sum<1, 3>(y) * 2, max<1, 3>(x), mean<3>(y), min<1>(x) + sum<1>(y)};
};
template <class T, extent N> void of_few_rows() {
  auto x = some<array<T, 5, 3, 7, 4, N>>(1, 1, 50);
  auto v = some<array<T, N>>(3, 1, 50);
  near(jit(small_sums)(x, v), small_sums(x, v), 1e-5, 1e-12);
  omp_set_num_threads(1);
  auto const one = jit(small_sums)(x, v);
  omp_set_num_threads(2);
  CHECK(same_bits(jit(small_sums)(x, v), one));
}
/// Nothing is divided by what is beside a row.
constexpr auto divided = [](auto x, auto v) { return floor_divide(x, v) + x % v; };

template <class T, extent N> void last_elements() {
  auto x = some<array<T, rows, N>>(1, 1, 50), y = some<array<T, rows, N>>(2, 1, 50);
  auto v = some<array<T, N>>(3, 1, 50);
  near(jit(walked)(x, y, v), walked(x, y, v), 1e-5, 1e-12);
  omp_set_num_threads(1);
  auto const one = jit(walked)(x, y, v);
  omp_set_num_threads(2);
  CHECK(same_bits(jit(walked)(x, y, v), one));
  // a result where an operand was
  CHECK(same_bits(jit(walked)(x, std::move(y), v), one));
}
template <extent N> void integers() {
  auto x = some<array<int, rows, N>>(1, -50, 50);
  auto v = some<array<int, N>>(3, 1, 9);
  near(jit(divided)(x, v), divided(x, v));
}

}  // namespace

TEST_CASE("rows of less than a register, of half of one and more, and of several") {
  last_elements<float, 6>();
  last_elements<float, 13>();
  last_elements<float, 22>();
  last_elements<float, 90>();
  last_elements<double, 7>();
  integers<13>();
}
TEST_CASE("sums of few rows of less than a register, of half of one and more, and of several") {
  of_few_rows<float, 5>();
  of_few_rows<float, 8>();
  of_few_rows<float, 16>();
  of_few_rows<float, 27>();
  of_few_rows<float, 64>();
  of_few_rows<double, 11>();
  of_few_rows<int, 13>();
}
