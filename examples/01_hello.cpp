// SPDX-License-Identifier: BSD-3-Clause
// Hello: one function, run by the compiler, run eagerly, and run as kernels. Page: docs/examples/01_hello.md
#include <cmath>
#include <cstdio>

#include <etna/etna.hpp>

using etna::array;

// A plain generic function: it takes a double, or an array.
constexpr auto cube = [](auto x) { return x * x * x; };

// The compiler differentiates it, once and twice.
static_assert(etna::grad(cube)(2.0) == 12.0);
static_assert(etna::grad(etna::grad(cube))(2.0) == 12.0);

// A function of an array.
constexpr auto norm = [](array<float, 4> x) { return sqrt(sum(x * x)); };

// The same function, traced and turned into kernels while this file compiles.
constexpr auto fast_norm = etna::jit(norm);

int main() {
  array<float, 4> x{1, 2, 3, 4};

  // Outside jit each operation runs at once: set a breakpoint in norm and look at its numbers.
  float eager = norm(x).item();
  float fused = fast_norm(x).item();
  std::printf("eager %.6f  jit %.6f\n", eager, fused);

  array<float, 4> y = cube(x);
  for (float v : y) std::printf("%g ", v);
  std::printf("\n");

  bool ok = std::fabs(eager - std::sqrt(30.0f)) < 1e-6f && std::fabs(fused - eager) < 1e-6f && y(3) == 64;
  return ok ? 0 : 1;
}
