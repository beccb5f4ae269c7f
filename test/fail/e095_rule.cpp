// SPDX-License-Identifier: BSD-3-Clause
// expect: E095
#include <etna/language.hpp>

using namespace etna;

struct net {
  std::array<nn::dense<float, 3, 3>, 2> layers;
};
auto const z = nn::init<net>(random::key(0), nn::rule<"layers.2.kernel">(nn::initializers::ones));
