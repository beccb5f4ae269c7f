// SPDX-License-Identifier: BSD-3-Clause
// expect: E007_capture_in_jit
#include <etna/etna.hpp>

using namespace etna;

auto f(array<float, 3> x, float k) {
  return jit([k](auto y) { return sum(y) * k; })(x);
}
