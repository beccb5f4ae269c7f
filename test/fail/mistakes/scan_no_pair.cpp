// SPDX-License-Identifier: BSD-3-Clause
// expect: E070
// remedy: carry, y
#include <etna/etna.hpp>

using namespace etna;

auto const f =
    jit([](array<float, 4> x) { return scan([](auto c, auto y) { return c + y; }, array<float>(0.f), x).first; });
auto const r = f(array<float, 4>{});
