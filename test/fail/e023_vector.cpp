// SPDX-License-Identifier: BSD-3-Clause
// expect: E023
// expect: vector
#include <etna/language.hpp>

using namespace etna;

#include <vector>
std::vector<array<float>> const v(2);
auto const n = tree::map([](auto x) { return x; }, v);
