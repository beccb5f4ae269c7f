// SPDX-License-Identifier: BSD-3-Clause
// expect: E061
#include <etna/etna.hpp>

using namespace etna;

float f(double (&x)[3]) {
  return point([](array<float, 3> y) { return sum(y); })(x);
}
