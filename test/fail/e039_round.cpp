// SPDX-License-Identifier: BSD-3-Clause
// expect: E039
// expect: round\(x, 2\)
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = round(x, array<int>(2));
