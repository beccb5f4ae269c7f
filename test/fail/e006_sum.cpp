// SPDX-License-Identifier: BSD-3-Clause
// expect: E006
// expect: sum_p
// expect: axis<1>, .*axis<-1>
// expect: shape<2, 3>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = sum<1, -1>(x);
