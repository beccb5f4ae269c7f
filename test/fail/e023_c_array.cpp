// SPDX-License-Identifier: BSD-3-Clause
// expect: E023
// expect: rows
#include <etna/language.hpp>

using namespace etna;

struct rows {
  array<float, 3> a[2];
};
auto const n = tree::map([](auto x) { return x; }, rows{});
