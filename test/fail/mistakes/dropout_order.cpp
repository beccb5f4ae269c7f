// SPDX-License-Identifier: BSD-3-Clause
// errors g++: 3
// errors clang: 2
// expect: E051
// remedy: dropout\(key, x, 0.5\)
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 3> x, array<int> seed) { return dropout(x, random::key(seed), 0.5); });
auto const r = f(array<float, 3>{}, 1);
