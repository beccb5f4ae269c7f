// SPDX-License-Identifier: BSD-3-Clause
// expect: E022
#include <etna/language.hpp>

using namespace etna;

// the state of another rule
constexpr auto rule = optim::adam(0.1);
constexpr auto other = optim::sgd(0.1, {.momentum = 0.9});
array<float, 3> const g{};
auto const u = rule.update(g, other.init(g));
