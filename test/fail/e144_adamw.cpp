// SPDX-License-Identifier: BSD-3-Clause
// expect: E144
#include <etna/language.hpp>

using namespace etna;

constexpr auto rule = optim::adamw(0.1);
array<float, 3> const g{1, 2, 3};
auto const u = rule.update(g, rule.init(g));
