// SPDX-License-Identifier: BSD-3-Clause
// expect: E143
// expect: shape<3, 4>
#include <etna/language.hpp>

using namespace etna;

array<float, 3, 4> const a;
array<float, 3> const b;
auto const x = linalg::solve(a, b);
