// SPDX-License-Identifier: BSD-3-Clause
// expect: E035
// errors g++: 2
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<float> x) {
  if (x > 0.f) return x;
  return -x;
};
auto z(array<float> a) { return jit(f)(a); }
