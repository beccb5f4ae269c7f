// SPDX-License-Identifier: BSD-3-Clause
// expect: E017
// expect: array<float, 2, 3>
#include <etna/language.hpp>

using namespace etna;

auto const z = vmap<0, 0>([](auto a) { return a; })(array<float, 2, 3>{});
