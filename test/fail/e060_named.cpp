// SPDX-License-Identifier: BSD-3-Clause
// expect: E060
#include <etna/etna.hpp>

using namespace etna;

double f(double const* x) {
  return point<array<double, "n"_n>>([](auto y) { return sum(y); })(x);
}
