// SPDX-License-Identifier: BSD-3-Clause
// expect: E002
// expect: from<double>
// expect: to<float>
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](array<float, 3> x) { return sum(x); });
auto const y = f(array<double, 3>{});
