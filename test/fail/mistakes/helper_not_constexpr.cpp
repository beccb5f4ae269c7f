// SPDX-License-Identifier: BSD-3-Clause
// expect: E008
// remedy: declare helpers constexpr
// errors g++: 3
// place: helper_not_constexpr.cpp:13:
#include <etna/etna.hpp>

using namespace etna;

float scale() { return 3; }
auto const f = jit([](array<float, 3> x) {
  auto outer = [](auto const& y) {
    auto inner = [](auto const& z) { return z * scale(); };
    return inner(y) + 1;
  };
  return sum(outer(x));
});
auto const r = f(array<float, 3>{});
