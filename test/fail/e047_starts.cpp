// SPDX-License-Identifier: BSD-3-Clause
// expect: E047
// expect: shape<2, 3>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = dynamic_slice<1, 2>(x, array<float>{}, 0);
