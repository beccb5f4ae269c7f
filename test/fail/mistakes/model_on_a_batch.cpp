// SPDX-License-Identifier: BSD-3-Clause
// expect: E003
// expect: shape<32, 784>
// expect: shape<784>
// remedy: vmap<none, 0>
#include <etna/etna.hpp>

using namespace etna;

struct parameters {
  array<float, 784, 10> w;
};
constexpr auto model = [](parameters const& p, array<float, 784> const& x) { return dot(x, p.w); };
auto const f = jit([](parameters p, array<float, 32, 784> x) { return mean(model(p, x)); });
auto const r = f(parameters{}, array<float, 32, 784>{});
