// SPDX-License-Identifier: BSD-3-Clause
// expect: E048
// expect: parameters
// remedy: one array
#include <etna/etna.hpp>

using namespace etna;

struct parameters {
  array<float, 3> w;
  array<float> b;
};
constexpr auto f = [](parameters const& p) { return p.w * p.b; };
auto g(parameters const& p) { return jacfwd(f)(p); }
