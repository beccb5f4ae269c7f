// SPDX-License-Identifier: BSD-3-Clause
// expect: E009
// expect: shape<2, 3>
// expect: 4
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = reshape<4, -1>(x);
