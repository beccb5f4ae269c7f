// SPDX-License-Identifier: BSD-3-Clause
// expect: E014
// expect: array<int, 3>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit(grad([](auto x) { return sum(x * 0.5); }));
auto const y = f(array<int, 3>{});
