// SPDX-License-Identifier: BSD-3-Clause
// Least squares: fit a line with one Newton step. Page: docs/examples/03_least_squares.md
#include <cmath>
#include <cstdio>

#include <etna/etna.hpp>

using etna::array;

// w = {offset, slope}
constexpr auto loss = [](array<double, 2> w, array<double, 8, 2> a, array<double, 8> y) {
  return etna::mean(etna::square(etna::dot(a, w) - y));
};

constexpr auto slope =
    etna::jit([](array<double, 2> w, array<double, 8, 2> a, array<double, 8> y) { return etna::grad(loss)(w, a, y); });

// jacfwd of jacrev: reverse mode once, then one tangent for each of the two parameters.
constexpr auto curvature = etna::jit(
    [](array<double, 2> w, array<double, 8, 2> a, array<double, 8> y) { return etna::hessian(loss)(w, a, y); });

int main() {
  // The line 1.5 + 0.5 t, moved up and down by turns.
  auto a = array<double, 8, 2>::build([](double* out) {
    for (int i = 0; i < 8; ++i) out[2 * i] = 1, out[2 * i + 1] = i;
  });
  auto y = array<double, 8>::build([](double* out) {
    for (int i = 0; i < 8; ++i) out[i] = 1.5 + 0.5 * i + (i % 2 ? -0.1 : 0.1);
  });

  array<double, 2> w;  // zeros
  auto g = slope(w, a, y);
  auto h = curvature(w, a, y);
  std::printf("hessian  %8.3f %8.3f\n         %8.3f %8.3f\n", h(0, 0), h(0, 1), h(1, 0), h(1, 1));

  // The loss is quadratic, so one step h^-1 g ends at its least point.
  double det = h(0, 0) * h(1, 1) - h(0, 1) * h(1, 0);
  w = array<double, 2>{w(0) - (h(1, 1) * g(0) - h(0, 1) * g(1)) / det, w(1) - (h(0, 0) * g(1) - h(1, 0) * g(0)) / det};
  g = slope(w, a, y);
  std::printf("offset %.4f  slope %.4f  loss %.6f\n", w(0), w(1), loss(w, a, y).item());

  // h = 2/8 a^T a, and the gradient at the least point is 0.
  bool ok = std::fabs(h(0, 0) - 2) < 1e-12 && std::fabs(h(0, 1) - 7) < 1e-12 && std::fabs(h(1, 1) - 35) < 1e-12 &&
            std::fabs(g(0)) < 1e-12 && std::fabs(g(1)) < 1e-12;
  return ok ? 0 : 1;
}
