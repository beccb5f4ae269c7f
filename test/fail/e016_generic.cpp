// SPDX-License-Identifier: BSD-3-Clause
// expect: E016
// expect: array<float, 2, 3>
// expect: array<float, 4, 3>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit(vmap([](auto x, auto y) { return x + y; }));
auto const y = f(array<float, 2, 3>{}, array<float, 4, 3>{});
