// SPDX-License-Identifier: BSD-3-Clause
// expect: E003
// expect: shape<3, 2>
// expect: shape<2, 3>
#include <etna/language.hpp>

using namespace etna;

array<float, 3, 2> const x;
array<float, 2, 3> const y = x;
