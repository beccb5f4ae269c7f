// SPDX-License-Identifier: BSD-3-Clause
// expect: E007
#include <etna/etna.hpp>

using namespace etna;

double f(double (&x)[2], double k) {
  return point([=](array<double, 2> y) { return sum(y) * k; })(x);
}
