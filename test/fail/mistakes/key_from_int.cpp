// SPDX-License-Identifier: BSD-3-Clause
// errors g++: 3
// errors clang: 2
// expect: E051
// expect: int
// remedy: random::key\(seed\)
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 3> x) { return x + random::normal<float, 3>(7); });
auto const r = f(array<float, 3>{});
