// SPDX-License-Identifier: BSD-3-Clause
// errors g++: 3
// errors clang: 2
// expect: E036
// remedy: normal<float, 3, 4>
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<int> seed) { return random::normal(random::key(seed), {3, 4}); });
auto const r = f(1);
