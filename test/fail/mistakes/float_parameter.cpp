// SPDX-License-Identifier: BSD-3-Clause
// expect: E025
// expect: float
// remedy: array<T>
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 3> x, float rate) { return x * rate; });
auto const r = f(array<float, 3>{}, 0.1f);
