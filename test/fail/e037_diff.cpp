// SPDX-License-Identifier: BSD-3-Clause
// expect: E037
// expect: diff<1, -1>\(x\)
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = diff<-1>(x);
