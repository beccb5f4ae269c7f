// SPDX-License-Identifier: BSD-3-Clause
// expect: E016
// expect: array<float, 32, 784>
// remedy: vmap<none, 0>
#include <etna/etna.hpp>

using namespace etna;

struct parameters {
  array<float, 784, 10> w;
  array<float, 10> b;
};
constexpr auto model = [](parameters const& p, array<float, 784> const& x) { return dot(x, p.w) + p.b; };
auto const f = jit([](parameters p, array<float, 32, 784> x) { return mean(vmap<0>(model)(p, x)); });
auto const r = f(parameters{}, array<float, 32, 784>{});
