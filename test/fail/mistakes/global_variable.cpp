// SPDX-License-Identifier: BSD-3-Clause
// expect: E008
// remedy: arguments
// errors g++: 2
// place: global_variable.cpp:11:
#include <etna/etna.hpp>

using namespace etna;

float rate = 0.1f;
auto const f = jit([](array<float, 3> x) { return x * rate; });
auto const r = f(array<float, 3>{});
