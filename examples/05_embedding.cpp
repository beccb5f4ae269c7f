// SPDX-License-Identifier: BSD-3-Clause
// etna inside a plain C++ program: its loop, its vectors, one call for the forces. Page: docs/examples/05_embedding.md
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <etna/etna.hpp>

using etna::array;

constexpr int n = 32;  // particles in a ring, joined by springs

// The energy that is stored in the springs, with a cubic term.
constexpr auto potential = [](array<double, n> q, array<int, n> next) {
  auto stretch = etna::take(q, next) - q;
  return etna::sum(0.5 * stretch * stretch + 0.1 * stretch * stretch * stretch);
};

constexpr auto force =
    etna::jit([](array<double, n> q, array<int, n> next) { return -etna::grad(potential)(q, next); });

// To and from memory that etna does not own.
array<double, n> in(std::vector<double> const& v) {
  return array<double, n>::build([&](double* out) { std::copy(v.begin(), v.end(), out); });
}

int main() {
  std::vector<double> q(n), p(n);
  for (int i = 0; i < n; ++i) q[i] = 0.3 * std::sin(2 * 3.141592653589793 * i / n);
  auto next = array<int, n>::build([](int* out) {
    for (int i = 0; i < n; ++i) out[i] = (i + 1) % n;
  });

  auto energy = [&] {
    double kinetic = 0;
    for (double v : p) kinetic += 0.5 * v * v;
    return kinetic + potential(in(q), next).item();
  };

  // Leapfrog, as it would be written without etna.
  double const dt = 0.02, start = energy();
  auto f = force(in(q), next);
  for (int step = 0; step < 1000; ++step) {
    for (int i = 0; i < n; ++i) p[i] += 0.5 * dt * f(i);
    for (int i = 0; i < n; ++i) q[i] += dt * p[i];
    f = force(in(q), next);
    for (int i = 0; i < n; ++i) p[i] += 0.5 * dt * f(i);
  }
  double end = energy();
  std::printf("energy %.8f at first, %.8f after 1000 steps\n", start, end);
  return std::fabs(end - start) < 1e-5 * std::fabs(start) ? 0 : 1;
}
