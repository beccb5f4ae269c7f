// SPDX-License-Identifier: BSD-3-Clause
// expect: E056
// expect: shape<3, 3>
// expect: array<int>
// remedy: take\(x, i\)
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 3, 3> m, array<int> i) { return sum(m[i]); });
auto const r = f(array<float, 3, 3>{}, 1);
