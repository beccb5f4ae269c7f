// SPDX-License-Identifier: BSD-3-Clause
// errors g++: 3
// errors clang: 2
// expect: E036
// remedy: reshape<3, 2>\(x\)
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 6> x) { return reshape(x, {3, 2}); });
auto const r = f(array<float, 6>{});
