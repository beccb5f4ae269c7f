// SPDX-License-Identifier: BSD-3-Clause
// expect: E025
// expect: float
#include <etna/etna.hpp>

using namespace etna;

struct model {
  array<float, 3> w;
  float rate;
};
constexpr auto f = jit([](model m) { return sum(m.w) * m.rate; });
auto const y = f(model{});
