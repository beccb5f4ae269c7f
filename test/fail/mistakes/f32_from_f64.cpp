// SPDX-License-Identifier: BSD-3-Clause
// expect: E002
// expect: from<double>
// expect: to<float>
// remedy: astype
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 3> x, array<double, 3> y) {
  array<float, 3> z = x + y;
  return z;
});
auto const r = f(array<float, 3>{}, array<double, 3>{});
