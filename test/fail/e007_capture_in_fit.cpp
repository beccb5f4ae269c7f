// SPDX-License-Identifier: BSD-3-Clause
// expect: E007
#include <etna/etna.hpp>
#include <etna/exec/fit.hpp>

using namespace etna;

auto twice(float by) {
  return fit<1 * MiB>([by](array<float, 4> x) { return x * by; })(array<float, 4>{});
}
