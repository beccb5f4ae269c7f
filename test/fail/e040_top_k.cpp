// SPDX-License-Identifier: BSD-3-Clause
// expect: E040
// expect: shape<2, 3>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = top_k<4>(x);
