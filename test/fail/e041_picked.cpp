// SPDX-License-Identifier: BSD-3-Clause
// expect: E041
// expect: shape<2, 3>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
array<int, 4> const i;
auto const z = x.at<0, picked>(i).get();
