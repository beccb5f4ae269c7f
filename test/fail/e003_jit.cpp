// SPDX-License-Identifier: BSD-3-Clause
// expect: E003
// expect: shape<4>
// expect: shape<3>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](array<float, 3> x) { return sum(x); });
auto const y = f(array<float, 4>{});
