// SPDX-License-Identifier: BSD-3-Clause
// expect: E014
// expect: argnum<1>
// remedy: argnums
#include <etna/etna.hpp>

using namespace etna;

auto const f =
    jit([](array<float> x, array<int> n) { return grad<1>([](auto const& a, auto const& k) { return a * k; })(x, n); });
auto const r = f(1.f, 2);
