// SPDX-License-Identifier: BSD-3-Clause
// expect: E046
// expect: shape<2, 3>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
array<float, 2> const v;
auto const z = x.at<1>().set(v);
