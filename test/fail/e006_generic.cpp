// SPDX-License-Identifier: BSD-3-Clause
// expect: E006
// expect: axis<-1>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](auto x) { return sum<1, -1>(x); });
auto const y = f(array<float, 2, 3>{});
