// SPDX-License-Identifier: BSD-3-Clause
// expect: E064
#include <etna/etna.hpp>

using namespace etna;

#include <utility>
using both = std::pair<array<double, 2>, array<double>>;
double f(double (&x)[2]) {
  return point([](both y) { return sum(y.first) * y.second; })(x);
}
