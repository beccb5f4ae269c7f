// SPDX-License-Identifier: BSD-3-Clause
// expect: E016
// expect: array<float, 2, 3>
// expect: array<float, 4, 3>
#include <etna/language.hpp>

using namespace etna;

auto const z = vmap([](auto a, auto b) { return a + b; })(array<float, 2, 3>{}, array<float, 4, 3>{});
