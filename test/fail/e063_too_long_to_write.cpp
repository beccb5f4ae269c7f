// SPDX-License-Identifier: BSD-3-Clause
// expect: E063
#include <etna/etna.hpp>

using namespace etna;

// refused before its 2,000,000 equations are written
auto f(double const* x) {
  return point<array<double, 1000, 1000>>([](auto y) { return sum(y * y); })(x);
}
