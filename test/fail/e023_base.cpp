// SPDX-License-Identifier: BSD-3-Clause
// expect: E023
// expect: derived
#include <etna/language.hpp>

using namespace etna;

struct base {
  array<float> a;
};
struct derived : base {
  array<float> b;
};
auto const n = tree::map([](auto x) { return x; }, derived{});
