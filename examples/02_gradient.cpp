// SPDX-License-Identifier: BSD-3-Clause
// The gradient of a function, checked by differences and used to descend. Page: docs/examples/02_gradient.md
#include <cmath>
#include <cstdio>

#include <etna/etna.hpp>

using etna::array;

// Parameters are a plain struct of arrays; a gradient comes back as the same struct.
struct point {
  array<double> x, y;
};

// Rosenbrock's valley: least, and 0, at (1, 1).
constexpr auto valley = [](point const& p) {
  auto a = 1.0 - p.x, b = p.y - p.x * p.x;
  return a * a + 10.0 * b * b;
};

constexpr auto value_and_slope = etna::jit([](point p) { return etna::value_and_grad(valley)(p); });

constexpr auto descend = etna::jit([](point p, array<double> rate) {
  auto g = etna::grad(valley)(p);
  return etna::tree::map([&](auto w, auto dw) { return w - rate * dw; }, p, g);
});

int main() {
  point p{-0.5, 0.8};
  auto [value, slope] = value_and_slope(p);
  std::printf("f %.4f  df/dx %.4f  df/dy %.4f\n", value.item(), slope.x.item(), slope.y.item());

  // Central differences agree.
  double h = 1e-5;
  double dx = (valley(point{-0.5 + h, 0.8}).item() - valley(point{-0.5 - h, 0.8}).item()) / (2 * h);
  double dy = (valley(point{-0.5, 0.8 + h}).item() - valley(point{-0.5, 0.8 - h}).item()) / (2 * h);
  bool ok = std::fabs(dx - slope.x.item()) < 1e-6 && std::fabs(dy - slope.y.item()) < 1e-6;

  for (int i = 0; i < 2000; ++i) p = descend(p, array<double>(0.01));
  std::printf("after 2000 steps: x %.4f  y %.4f\n", p.x.item(), p.y.item());
  ok = ok && std::fabs(p.x.item() - 1) < 1e-3 && std::fabs(p.y.item() - 1) < 1e-3;
  return ok ? 0 : 1;
}
