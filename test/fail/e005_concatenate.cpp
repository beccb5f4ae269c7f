// SPDX-License-Identifier: BSD-3-Clause
// expect: E005
// expect: axis<2>
// expect: shape<2, 3>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = concatenate<2>(x, x);
