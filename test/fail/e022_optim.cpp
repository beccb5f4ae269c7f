// SPDX-License-Identifier: BSD-3-Clause
// expect: E022
#include <etna/language.hpp>

using namespace etna;

constexpr auto rule = optim::adam(0.1);
auto const u = rule.update(std::pair{array<float>{}, array<float>{}}, rule.init(array<float>{}));
