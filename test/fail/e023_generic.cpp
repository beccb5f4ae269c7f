// SPDX-License-Identifier: BSD-3-Clause
// expect: E023
// expect: vector
#include <etna/etna.hpp>
#include <vector>

using namespace etna;

constexpr auto f = jit([](auto t) { return t; });
auto const y = f(std::vector<array<float, 3>>{});
