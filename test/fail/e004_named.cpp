// SPDX-License-Identifier: BSD-3-Clause
// expect: E004
// expect: dot_general_p
// expect: named<'k'>
// expect: named<'m'>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, "k"_n> const x;
array<float, "m"_n, 4> const y;
auto const z = dot(x, y);
