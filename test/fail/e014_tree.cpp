// SPDX-License-Identifier: BSD-3-Clause
// expect: E014
// expect: argnum<0>
// expect: model
#include <etna/language.hpp>

using namespace etna;

struct model {
  array<float, 3> w;
  array<int> steps;
};
auto const g = grad([](model const& m) { return sum(m.w); })(model{});
