// SPDX-License-Identifier: BSD-3-Clause
// expect: E093
#include <etna/etna.hpp>

using namespace etna;

auto const z = show<after<"fold">>([](array<float, 3> x) { return x + x; }, array<float, 3>());
