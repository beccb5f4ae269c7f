// SPDX-License-Identifier: BSD-3-Clause
// expect: E016
// expect: model
#include <etna/language.hpp>

using namespace etna;

struct model {
  array<float, 2, 3> w;
  array<float, 3> b;
};
auto const z = vmap([](auto const& m) { return sum(m.w) + m.b; })(model{});
