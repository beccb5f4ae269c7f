// SPDX-License-Identifier: BSD-3-Clause
// expect: E003
// expect: shape<3, 1>
// expect: shape<3>
#include <etna/language.hpp>

using namespace etna;

array<float, 3, 1> const x;
array<float, 3> const y = x;
