// SPDX-License-Identifier: BSD-3-Clause
// expect: E015
// expect: argnum<1>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit(grad<1>([](auto x) { return sum(x); }));
auto const y = f(array<float, 3>{});
