// SPDX-License-Identifier: BSD-3-Clause
// expect: E069
#include <etna/language.hpp>

using namespace etna;

struct other {
  array<float, 3> w;
};
struct net {
  array<float, 3> w;
  static constexpr auto initial = nn::initial(&other::w, nn::initializers::ones);
};
auto const z = nn::init<net>(random::key(0));
