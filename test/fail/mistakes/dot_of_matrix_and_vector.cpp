// SPDX-License-Identifier: BSD-3-Clause
// expect: E004
// expect: shape<3, 4>
// expect: shape<3>
// remedy: transpose one operand|sizes
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](array<float, 3, 4> w, array<float, 3> x) { return dot(w, x); });
auto const r = f(array<float, 3, 4>{}, array<float, 3>{});
