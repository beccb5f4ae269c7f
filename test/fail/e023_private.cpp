// SPDX-License-Identifier: BSD-3-Clause
// expect: E023
// expect: hidden
#include <etna/language.hpp>

using namespace etna;

class hidden {
  array<float> a;

 public:
  array<float> b;
};
auto const n = tree::map([](auto x) { return x; }, hidden{});
