// SPDX-License-Identifier: BSD-3-Clause
// expect: E044
// expect: shape<2, 3>
// expect: shape<2, 4>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
array<float, 2, 4> const y;
auto const z = concatenate<0>(x, y);
