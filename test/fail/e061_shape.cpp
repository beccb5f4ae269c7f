// SPDX-License-Identifier: BSD-3-Clause
// expect: E061
#include <etna/etna.hpp>

using namespace etna;

double f(double (&x)[4]) {
  return point([](array<double, 3> y) { return sum(y); })(x);
}
