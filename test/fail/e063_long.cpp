// SPDX-License-Identifier: BSD-3-Clause
// expect: E063
#include <etna/etna.hpp>

using namespace etna;

auto f(double const* x) {
  return point<array<double, 80, 80>>([](auto y) { return sum(sin(y)); })(x);
}
