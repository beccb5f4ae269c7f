// SPDX-License-Identifier: BSD-3-Clause
// expect: E067
// remedy: nn::evaluation
// place: e067_in_a_step.cpp:(1[0-9])
#include <etna/etna.hpp>

using namespace etna;

struct net {
  nn::dense<float, 16, 32> first;
  nn::dropout<0.2> drop;
  constexpr auto operator()(auto const& x, auto const& mode) const { return drop(relu(first(x)), mode); }
};
constexpr auto loss = [](net const& p, array<float, 8, 16> const& x) { return sum(p(x, nn::training)); };
constexpr auto step = jit(grad(loss));
auto const f = [] { return step(net{}, array<float, 8, 16>{}); };
using result = decltype(f());
