// SPDX-License-Identifier: BSD-3-Clause
// expect: E008_not_traceable
// errors g++: 2
#include <etna/etna.hpp>

using namespace etna;

float at_run_time = 2;
constexpr auto f = jit([](auto x) { return sum(x) * at_run_time; });
auto const y = f(array<float, 3>{});
