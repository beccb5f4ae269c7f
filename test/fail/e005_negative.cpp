// SPDX-License-Identifier: BSD-3-Clause
// expect: E005
// expect: amax_p
// expect: axis<-3>
// expect: shape<2, 3>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = max<-3>(x);
