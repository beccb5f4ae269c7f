// SPDX-License-Identifier: BSD-3-Clause
// expect: E030
// expect: axis<3>
// expect: array<float, 3>
#include <etna/language.hpp>

using namespace etna;

auto const z = vmap<0>([](auto a) { return a; }, out_axes<3>)(array<float, 2, 3>{});
