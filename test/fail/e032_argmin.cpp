// SPDX-License-Identifier: BSD-3-Clause
// expect: E032
// expect: argmin_p
// expect: shape<3, 0>
#include <etna/language.hpp>

using namespace etna;

array<float, 3, 0> const x;
auto const z = argmin<1>(x);
