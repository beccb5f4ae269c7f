// SPDX-License-Identifier: BSD-3-Clause
// expect: E037
// expect: sum\(where\(mask, x, 0\)\)
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = sum(x, x > 0);
