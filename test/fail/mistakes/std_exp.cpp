// SPDX-License-Identifier: BSD-3-Clause
// expect: E056
// expect: shape<3>
// remedy: exp\(x\)
#include <etna/etna.hpp>
#include <cmath>

using namespace etna;

auto const f = jit([](array<float, 3> x) { return std::exp(x); });
auto const r = f(array<float, 3>{});
