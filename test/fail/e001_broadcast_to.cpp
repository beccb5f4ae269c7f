// SPDX-License-Identifier: BSD-3-Clause
// expect: E001
// expect: broadcast_p
// expect: shape<2, 3>
// expect: shape<3, 2>
#include <etna/language.hpp>

using namespace etna;

array<float, 2, 3> const x;
auto const z = broadcast_to<3, 2>(x);
