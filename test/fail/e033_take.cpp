// SPDX-License-Identifier: BSD-3-Clause
// expect: E033
// expect: gather_p
// expect: array<float, 4>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
array<float, 4> const i;
auto const z = take<1>(x, i);
