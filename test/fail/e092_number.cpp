// SPDX-License-Identifier: BSD-3-Clause
// expect: E092
// remedy: astype<int>\(x\)
#include <etna/etna.hpp>

using namespace etna;

auto y = jit([](array<std::uint8_t, 3> x) { return clip(x, 0, 300); })(array<std::uint8_t, 3>{1, 2, 3});
