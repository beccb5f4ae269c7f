// SPDX-License-Identifier: BSD-3-Clause
// Whole rows picked by an index, and the best of a row: kernels in registers, where the interpreter goes one by one.
#include <cmath>
#include <limits>

#include "same.hpp"

namespace {

using namespace etna;

template <class T, extent N> auto special(int seed) {
  // ties, infinities, zeros of both signs and NaN at places that move with the row
  return array<T, 23, N>::build([&](T* o) {
    for (extent r = 0; r < 23; ++r)
      for (extent i = 0; i < N; ++i) {
        T& x = o[r * N + i] = T((i * 5 + r * 3 + seed) % 7);
        if (r % 4 == 1 && i == (r * 11) % N) x = std::numeric_limits<T>::quiet_NaN();
        if (r % 4 == 2) x = (i + r) % 3 ? std::numeric_limits<T>::infinity() : -std::numeric_limits<T>::infinity();
        if (r == 3) x = i % 2 ? T(0) : -T(0);
        if (r == 7) x = std::numeric_limits<T>::quiet_NaN();
        if (r == 11) x = std::numeric_limits<T>::infinity();
        if (r == 15) x = -std::numeric_limits<T>::infinity();
        if (r == 19) x = T(1);
      }
  });
}
template <class T, extent N> void best_of_rows() {
  auto x = special<T, N>(1);
  test::as_eager([](array<T, 23, N> x) { return std::tuple{argmax<1>(x), argmin<1>(x)}; }, x);
  test::as_eager([](array<T, 23, N> x) { return argmin<1>(x * T(2) + T(1)); }, x);
  test::as_eager([](array<T, 23, N> x) { return argmax(x); }, x);
  test::as_eager([](array<T, 23, N> x) { return std::tuple{argmax<1>(x), sum<1>(x), max<1>(x) * T(2)}; }, x);
}

}  // namespace

TEST_CASE_TEMPLATE("the best of a row, and the first of equals", T, TEST_FLOATS) {
  best_of_rows<T, 1>();
  best_of_rows<T, 9>();
  best_of_rows<T, 31>();
  best_of_rows<T, 33>();  // too long to go together, too short to join the best of lanes
  best_of_rows<T, 50>();
  best_of_rows<T, 64>();
  best_of_rows<T, 131>();
  best_of_rows<T, 4099>();  // longer than what is joined at once
}
TEST_CASE_TEMPLATE("of a few that do not lie side by side", T, TEST_FLOATS) {
  auto x = special<T, 3>(1);
  test::as_eager(
      [](array<T, 23, 3> x) {
        return std::tuple{argmax<1>(slice<range{0, 23}, range{0, 3, 2}>(x)), argmin<0>(x)};
      },
      x);
  test::as_eager([](array<T, 23, 3> x) { return argmin<0>(slice<range{0, 23, 9}>(x)); }, x);
}
TEST_CASE_TEMPLATE("of integers, one by one", T, std::int32_t, std::int64_t, std::uint8_t) {
  auto x = test::some<array<T, 5, 131>>(1, 0, 9);
  test::as_eager([](array<T, 5, 131> x) { return std::tuple{argmax<1>(x), argmin<1>(x)}; }, x);
}
TEST_CASE_TEMPLATE("rows picked by an index", T, float, double, std::int32_t) {
  auto x = test::some<array<T, 11, 37>>(1, 0, 9);
  auto y = test::some<array<T, 6, 37>>(2, 0, 9);
  auto index = array<int, 6>{3, 0, 10, 3, -1, 7};
  auto outside = array<int, 6>{3, 11, -12, 3, -11, 1000};
  auto wide = astype<std::int64_t>(index);
  for (auto i : {index, outside})
    test::as_eager([](array<T, 11, 37> x, array<int, 6> i, array<T, 6, 37> y) { return take<0>(x, i) * y - T(1); }, x,
                   i, y);
  test::as_eager([](array<T, 11, 37> x, array<std::int64_t, 6> i, array<T, 6, 37> y) { return take<0>(x, i) + y; }, x,
                 wide, y);
  test::as_eager([](array<T, 11, 37> x, array<int, 6> i) { return sum<1>(take<0>(x, i) * T(2)); }, x, index);
  test::as_eager([](array<T, 11, 37> x, array<int, 6> i) { return sum<0>(take<0>(x, i) * T(2)); }, x, index);
  test::as_eager([](array<T, 11, 37> x, array<int, 6> i) { return max<1>(take<0>(x, i)) + T(1); }, x, index);
  // the index is a number of the row besides
  test::as_eager([](array<T, 11, 37> x, array<int, 6> i) { return take<0>(x, i) * astype<T>(expand_dims<1>(i)); }, x,
                 index);
  // it moves along the row: one by one
  test::as_eager([](array<T, 11, 37> x, array<int, 6> i) { return take<1>(x, i) * T(2); }, x, index);
  test::as_eager([](array<T, 11, 37> x, array<int, 6> i) { return take<0>(transpose(x), i) * T(2); }, x, index);
}
TEST_CASE("the index of a row is computed in a kernel before") {
  auto x = test::some<array<double, 11, 37>>(1);
  auto p = test::some<array<double, 50, 37>>(2);
  test::as_eager(
      [](array<double, 11, 37> c, array<double, 50, 37> p) {
        auto nearest = argmin<1>(sum<1>(c * c) - 2.0 * dot(p, transpose(c)));
        return sum(square(p - take<0>(c, nearest)));
      },
      x, p);
}
