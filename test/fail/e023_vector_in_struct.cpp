// SPDX-License-Identifier: BSD-3-Clause
// expect: E023
// expect: vector
#include <etna/language.hpp>

using namespace etna;

#include <vector>
struct layers {
  std::vector<array<float>> all;
};
auto const n = tree::map([](auto x) { return x; }, layers{});
