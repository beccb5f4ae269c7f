// SPDX-License-Identifier: BSD-3-Clause
// expect: E061
#include <etna/etna.hpp>

using namespace etna;

double f(double const* x) {
  return point([](auto y) { return sum(y); })(x);
}
