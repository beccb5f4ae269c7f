// SPDX-License-Identifier: BSD-3-Clause
// expect: E007
// remedy: array<float>
#include <etna/etna.hpp>

using namespace etna;

auto g(array<float, 3> const& x, float rate) {
  auto f = jit([rate](array<float, 3> x) { return x * rate; });
  return f(x);
}
