// SPDX-License-Identifier: BSD-3-Clause
// expect: E148
// expect: array<float, 1, 2, 1, 2, 1, 2>
#include <etna/language.hpp>

using namespace etna;

constexpr auto rule = optim::adaptive_grad_clip(0.1);
array<float, 1, 2, 1, 2, 1, 2> const g{};
auto const u = rule.update(g, rule.init(g), g);
