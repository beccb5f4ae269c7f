// SPDX-License-Identifier: BSD-3-Clause
// expect: E009
// expect: shape<2, 3>
// expect: axis<0>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = squeeze<0>(x);
