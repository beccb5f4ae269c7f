// SPDX-License-Identifier: BSD-3-Clause
// expect: E036
// expect: write sum<0>\(x\)
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = x - sum(x, 0);
