// SPDX-License-Identifier: BSD-3-Clause
// expect: E022
// expect: pair
#include <etna/language.hpp>

using namespace etna;

struct pair {
  array<float> a, b;
};
auto const t = tree::unflatten(tree::structure<pair>{}, std::tuple{array<float>{}});
