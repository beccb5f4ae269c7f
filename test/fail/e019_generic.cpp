// SPDX-License-Identifier: BSD-3-Clause
// expect: E019
// expect: shape<4, 10>
// expect: shape<4, 1>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](auto z, auto y) { return mean(softmax_cross_entropy(z, y)); });
auto const y = f(array<float, 4, 10>{}, array<int, 4, 1>{});
