// SPDX-License-Identifier: BSD-3-Clause
// expect: E021
// expect: shape<4, 1>
// expect: shape<4, 10>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](auto p, auto y) { return mean(squared_error(p, y)); });
auto const y = f(array<float, 4, 1>{}, array<float, 4, 10>{});
