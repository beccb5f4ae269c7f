// SPDX-License-Identifier: BSD-3-Clause
// expect: E004
// expect: shape<2, 3>
// expect: shape<2, 3>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](auto x) { return dot(x, x); });
auto const y = f(array<float, 2, 3>{});
