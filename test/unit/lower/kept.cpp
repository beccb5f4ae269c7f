// SPDX-License-Identifier: BSD-3-Clause
// Rows whose exponentials are kept between phases, and rows that are too long for that, against sums in long double.
#include <etna/nn/loss.hpp>

#include <algorithm>
#include <cmath>

#include "same.hpp"

using namespace test;

namespace {

template <class T, int N> void softmax_of_rows(double tolerance) {
  constexpr int rows = 3;
  static constexpr auto soft = jit([](array<T, rows, N> x) { return softmax(x); });
  static constexpr auto slope = jit(grad([](array<T, rows, N> x) { return sum(square(softmax(x))); }));
  auto x = array<T, rows, N>::build([](T* to) {
    for (int i = 0; i < rows * N; ++i) to[i] = T(i * 7919 % 1000) / 100 - T(i % 3);
  });
  auto y = soft(x);
  auto g = slope(x);
  double worst = 0, worst_slope = 0;
  for (int r = 0; r < rows; ++r) {
    long double total = 0, squares = 0;
    for (int i = 0; i < N; ++i) total += std::exp((long double)x.data()[r * N + i]);
    auto p = [&](int i) { return std::exp((long double)x.data()[r * N + i]) / total; };
    for (int i = 0; i < N; ++i) squares += p(i) * p(i);
    for (int i = 0; i < N; ++i) {
      worst = std::max(worst, double(std::abs(y.data()[r * N + i] / p(i) - 1)));
      long double want = 2 * p(i) * (p(i) - squares);
      worst_slope = std::max(worst_slope, double(std::abs(g.data()[r * N + i] - want) / (2 * p(i) * (p(i) + squares))));
    }
  }
  CHECK(worst < tolerance);
  CHECK(worst_slope < 4 * tolerance);
}

// What takes some operations is kept for the phases that read it again: as the table of operations computes them, one
// by one.
template <class T, int N> array<T, 3, N> small_numbers() {
  return array<T, 3, N>::build([](T* to) {
    for (int i = 0; i < 3 * N; ++i) to[i] = T(i * 7919LL % 101 % 5);
  });
}
template <class T, int N> void values_of_later_phases() {
  CAPTURE(N);
  as_eager(
      [](array<T, 3, N> x) {
        auto y = ((x * T(3) + T(1)) * (x - T(2)) + x) * T(2);
        auto z = (y - max<1>(y, keepdims)) * T(2) + x;
        auto u = (z + T(1)) * x - y;
        auto v = u - sum<1>(z, keepdims);
        auto w = where(v > y, v + u, u * y);
        return std::tuple{w - max<1>(w, keepdims), sum<1>(v), v > y};
      },
      small_numbers<T, N>());
}
template <class T, int N> void more_values_than_are_kept() {
  as_eager(
      [](array<T, 3, N> x) {
        array<T, 3, N> a[12];
        for (int k = 0; k < 12; ++k) a[k] = ((x + T(k)) * (x - T(k)) + T(k)) * x - T(k);
        auto total = a[0];
        for (int k = 1; k < 12; ++k) total = total + a[k];
        auto m = max<1>(total, keepdims);
        auto r = a[0] * m;
        for (int k = 1; k < 12; ++k) r = r + a[k] * (a[k] - m);
        auto s = min<1>(r, keepdims);
        auto q = r;
        for (int k = 0; k < 12; ++k) q = q + (a[k] - s) * T(k + 1);
        return q;
      },
      small_numbers<T, N>());
}

// Sums of long rows are of their parts. Small integers: exact in any order.
template <class T, int rows, int N> void sums_of_rows() {
  static constexpr auto f = jit([](array<T, rows, N> x, array<T> c) {
    auto y = x + c;
    return std::tuple{sum<1>(y) * c, max<1>(x), min<1>(y), y};
  });
  auto x = array<T, rows, N>::build([](T* to) {
    for (int i = 0; i < rows * N; ++i) to[i] = T(i * 7919LL % 101);
    for (int r = 0; r < rows; ++r) to[r * N + (N - 5) / (r + 1)] = T(200 + r);
  });
  auto [total, most, least, y] = f(x, array<T>(T(3)));
  for (int r = 0; r < rows; ++r) {
    double want = 0;
    for (int i = 0; i < N; ++i) want += double(x.data()[r * N + i]) + 3;
    CAPTURE(r);
    CHECK(double(total.data()[r]) == doctest::Approx(3 * want).epsilon(sizeof(T) == 4 ? 1e-7 : 1e-15));
    CHECK(most.data()[r] == T(200 + r));
    CHECK(least.data()[r] == T(3));
  }
  CHECK(y.data()[rows * N - 1] == T(x.data()[rows * N - 1] + 3));
}

}  // namespace

TEST_CASE("rows: sums of long ones") {
  sums_of_rows<float, 1, 131071>();
  sums_of_rows<float, 1, 131072>();
  sums_of_rows<float, 3, 200003>();
  sums_of_rows<double, 1, 1000000>();
  sums_of_rows<double, 2, 131079>();
  sums_of_rows<int, 1, 300000>();
}
TEST_CASE("rows: a whole mask") {
  static constexpr auto f = jit([](array<float, 400000> x) { return std::pair{any(x > 5.f), sum(square(x))}; });
  auto x = array<float, 400000>::build([](float* to) { std::fill_n(to, 400000, 1.f); });
  CHECK(f(x).second.data()[0] == 400000.f);
  CHECK(!f(x).first.data()[0]);
  auto y = array<float, 400000>::build([](float* to) { std::fill_n(to, 400000, 1.f), to[399999] = 6; });
  CHECK(f(y).first.data()[0]);
}

TEST_CASE("rows: softmax and its derivative, around the length that is kept") {
  softmax_of_rows<float, 7>(1e-6);
  softmax_of_rows<float, 1000>(1e-6);
  softmax_of_rows<float, 4096>(1e-6);
  softmax_of_rows<float, 4097>(1e-6);
  softmax_of_rows<double, 4096>(1e-14);
  softmax_of_rows<double, 5003>(1e-14);
}

TEST_CASE("rows: values that later phases read") {
  values_of_later_phases<float, 5>();
  values_of_later_phases<float, 1003>();
  values_of_later_phases<float, 4096>();
  values_of_later_phases<float, 4097>();
  values_of_later_phases<double, 1003>();
  values_of_later_phases<double, 4096>();
  values_of_later_phases<int, 7>();
  values_of_later_phases<int, 1003>();
}
TEST_CASE("rows: more such values than are kept") {
  more_values_than_are_kept<float, 501>();
  more_values_than_are_kept<double, 501>();
  more_values_than_are_kept<int, 501>();
}
