// SPDX-License-Identifier: BSD-3-Clause
// expect: E142
// expect: shape<5, 2>
#include <etna/language.hpp>

using namespace etna;

array<float, 5, 2> const x;
array<float, 5, 3> const y;
auto const z = cross(x, y);
