// SPDX-License-Identifier: BSD-3-Clause
// expect: E001
// expect: dot_general_p
// expect: shape<4, 2, 3>
// expect: shape<5, 3, 2>
#include <etna/language.hpp>

using namespace etna;

array<float, 4, 2, 3> const x;
array<float, 5, 3, 2> const y;
auto const z = matmul(x, y);
