// SPDX-License-Identifier: BSD-3-Clause
// expect: E081
#include <etna/language.hpp>

using namespace etna;

auto z(array<float, 3> const& x) {
  debug::print("{}", std::pair{x, x});
  return x;
}
