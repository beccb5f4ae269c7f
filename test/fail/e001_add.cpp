// SPDX-License-Identifier: BSD-3-Clause
// expect: E001
// expect: add_p
// expect: shape<2, 3>
// expect: shape<2>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
array<float, 2> const y;
auto const z = x + y;
