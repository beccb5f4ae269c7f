// SPDX-License-Identifier: BSD-3-Clause
// expect: E001
// expect: gather_p
// expect: shape<2, 3>
// expect: shape<4, 1>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
array<int, 4, 1> const i;
auto const z = take_along_axis<1>(x, i);
