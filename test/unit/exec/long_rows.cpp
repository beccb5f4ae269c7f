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

}  // namespace

TEST_CASE("rows: softmax and its derivative, around the length that is kept") {
  softmax_of_rows<float, 7>(1e-6);
  softmax_of_rows<float, 1000>(1e-6);
  softmax_of_rows<float, 4096>(1e-6);
  softmax_of_rows<float, 4097>(1e-6);
  softmax_of_rows<double, 4096>(1e-14);
  softmax_of_rows<double, 5003>(1e-14);
}
