// SPDX-License-Identifier: BSD-3-Clause
// expect: E036
// expect: write reshape<3, 2>\(x\)
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = reshape(x, {3, 2});
