// SPDX-License-Identifier: BSD-3-Clause
// expect: E027
// expect: select_p
// expect: array<float, 3>
#include <etna/language.hpp>

using namespace etna;

array<float, 3> const x;
auto const z = where(x, x, 0);
