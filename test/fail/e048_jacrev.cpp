// SPDX-License-Identifier: BSD-3-Clause
// expect: E048
// expect: model
#include <etna/etna.hpp>

using namespace etna;

struct model {
  array<float, 2> w;
  array<float> b;
};
constexpr auto f = [](array<float, 2> x) { return jacrev([](auto const& x) { return model{x, sum(x)}; })(x); };
auto z(array<float, 2> const& x) { return jit(f)(x); }
