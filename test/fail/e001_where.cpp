// SPDX-License-Identifier: BSD-3-Clause
// expect: E001
// expect: select_p
// expect: shape<2, 3>
// expect: shape<4>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
array<bool, 4> const p;
auto const z = where(p, x, x);
