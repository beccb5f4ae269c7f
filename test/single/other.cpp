// SPDX-License-Identifier: BSD-3-Clause
// A second file of the program: what the header defines may be defined twice.
#include "etna.hpp"

double elsewhere(etna::array<double, 4> const& x) {
  return etna::jit([](etna::array<double, 4> y) { return etna::sum(y * y); })(x).item();
}
