// SPDX-License-Identifier: BSD-3-Clause
// expect: E087
#include <etna/etna.hpp>

using namespace etna;

auto z(array<float, 3> const& x) {
  return jit([](array<float, 3> x) { return checkpoint([](auto const& x) { return sin(x); }, keep_every<3>)(x); })(x);
}
