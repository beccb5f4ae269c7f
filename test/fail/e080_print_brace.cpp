// SPDX-License-Identifier: BSD-3-Clause
// expect: E080
#include <etna/language.hpp>

using namespace etna;

auto z(array<float, 3> const& x) {
  debug::print("{x}", x);
  return x;
}
