// SPDX-License-Identifier: BSD-3-Clause
// expect: E013
// expect: array<float, 3>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit(grad([](auto x) { return x * x; }));
auto const y = f(array<float, 3>{});
