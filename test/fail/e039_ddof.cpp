// SPDX-License-Identifier: BSD-3-Clause
// expect: E039_known_while_compiling
// expect: ddof
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = var(x, ddof{array<int>(1)});
