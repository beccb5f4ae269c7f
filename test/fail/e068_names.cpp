// SPDX-License-Identifier: BSD-3-Clause
// expect: E068
#include <etna/language.hpp>

using namespace etna;

struct net {
  static constexpr auto names = tree::names("weight");
  array<float, 3> w, b;
};
auto const z = tree::paths<net>();
