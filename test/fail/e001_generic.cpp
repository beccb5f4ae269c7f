// SPDX-License-Identifier: BSD-3-Clause
// expect: E001
// expect: add_p
// expect: shape<3>
// expect: shape<4>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](auto x, auto y) { return x + y; });
auto const y = f(array<float, 3>{}, array<float, 4>{});
