// SPDX-License-Identifier: BSD-3-Clause
// expect: E032
// expect: amax_p
// expect: shape<0, 3>
#include <etna/language.hpp>

using namespace etna;

array<float, 0, 3> const x;
auto const z = max<0>(x);
