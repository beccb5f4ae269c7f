// SPDX-License-Identifier: BSD-3-Clause
// expect: E015
// expect: argnum<3>
// expect: arguments<2>
// remedy: count from 0
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit(
    [](array<float> x, array<float> y) { return grad<3>([](auto const& a, auto const& b) { return a * b; })(x, y); });
auto const r = f(1.f, 2.f);
