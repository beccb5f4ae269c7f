// SPDX-License-Identifier: BSD-3-Clause
// expect: E035
// errors g++: 2
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<double> t, array<int> n) {
  auto y = t;
  for (int i = 0; i < n; ++i) y = y * t;
  return y;
};
auto z(array<double> t, array<int> n) { return jit(grad(f))(t, n); }
