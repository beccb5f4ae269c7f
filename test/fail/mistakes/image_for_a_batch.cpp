// SPDX-License-Identifier: BSD-3-Clause
// expect: E003
// expect: shape<784>
// expect: shape<32, 784>
// remedy: batch
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 32, 784> x) { return sum<1>(x); });
auto const r = f(array<float, 784>{});
