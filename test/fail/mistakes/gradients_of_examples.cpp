// SPDX-License-Identifier: BSD-3-Clause
// expect: E056
// expect: array<float, 8, 3>
// remedy: get<&S::w>
#include <etna/etna.hpp>

using namespace etna;

struct parameters {
  array<float, 3> w;
  array<float> b;
};
constexpr auto loss = [](parameters const& p, array<float, 3> const& x) { return sum(p.w * x) + p.b; };
auto const f = jit([](parameters p, array<float, 8, 3> x) -> parameters { return vmap<none, 0>(grad(loss))(p, x); });
auto const r = f(parameters{}, array<float, 8, 3>{});
