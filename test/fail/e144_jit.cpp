// SPDX-License-Identifier: BSD-3-Clause
// expect: E144
#include <etna/etna.hpp>

using namespace etna;

constexpr auto rule = optim::lamb(0.1);
constexpr auto f = jit([](array<float, 3> g) { return rule.update(g, rule.init(g)).first; });
auto const u = f(array<float, 3>{});
