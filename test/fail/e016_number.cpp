// SPDX-License-Identifier: BSD-3-Clause
// expect: E016
// expect: float
#include <etna/language.hpp>

using namespace etna;

auto const z = vmap([](auto a, auto b) { return a + b; })(array<float, 2, 3>{}, 1.0f);
