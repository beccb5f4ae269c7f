// SPDX-License-Identifier: BSD-3-Clause
// expect: E023
// expect: float ?(const)? ?\*
#include <etna/language.hpp>

using namespace etna;

struct raw {
  float* a;
};
auto const n = tree::map([](auto x) { return x; }, raw{});
