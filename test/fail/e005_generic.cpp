// SPDX-License-Identifier: BSD-3-Clause
// expect: E005
// expect: axis<2>
// expect: shape<2, 3>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](auto x) { return sum<2>(x); });
auto const y = f(array<float, 2, 3>{});
