// SPDX-License-Identifier: BSD-3-Clause
// expect: E025
// expect: double
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](array<float, 3> x, double k) { return sum(x) * k; });
auto const y = f(array<float, 3>{}, 2.0);
