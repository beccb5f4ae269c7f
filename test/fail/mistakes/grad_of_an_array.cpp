// SPDX-License-Identifier: BSD-3-Clause
// expect: E013
// expect: array<float, 3>
// remedy: sum
// remedy: jacrev
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 3> x) { return grad([](auto const& a) { return a * a; })(x); });
auto const r = f(array<float, 3>{});
