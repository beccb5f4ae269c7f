// SPDX-License-Identifier: BSD-3-Clause
// expect: E095
#include <etna/language.hpp>

using namespace etna;

constexpr auto rule = optim::masked<"*.kernel">(optim::sgd(0.1));
auto const s = rule.init(std::pair{array<float, 3>{}, array<float>{}});
