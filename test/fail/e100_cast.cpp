// SPDX-License-Identifier: BSD-3-Clause
// expect: E100
#include <etna/language.hpp>

using namespace etna;

struct net {
  nn::dense<float, 3, 4> layer;
};
auto const f = [] { return nn::cast<bfloat16>(net{}); };
using result = decltype(f());
