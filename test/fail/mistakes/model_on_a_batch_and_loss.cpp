// SPDX-License-Identifier: BSD-3-Clause
// expect: E0(03|19)
// expect: shape<(32, 784|10)>
// remedy: vmap<none, 0>
#include <etna/etna.hpp>

using namespace etna;

struct parameters {
  array<float, 784, 10> w;
};
constexpr auto model = [](parameters const& p, array<float, 784> const& x) { return dot(x, p.w); };
auto const f = jit([](parameters p, array<float, 32, 784> x, array<int, 32> y) {
  return mean(softmax_cross_entropy(model(p, x), y));
});
auto const r = f(parameters{}, array<float, 32, 784>{}, array<int, 32>{});
