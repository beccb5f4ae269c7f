// SPDX-License-Identifier: BSD-3-Clause
// expect: E047
// expect: float, 2, 3
// expect: dynamic_slice<2, 3>\(x, i, j\)
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = dynamic_slice<1, 2>(x, array<float>{}, 0);
