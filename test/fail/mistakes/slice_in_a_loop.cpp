// SPDX-License-Identifier: BSD-3-Clause
// expect: slice
// remedy: dynamic_slice
// remedy: index_sequence
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 6> x) {
  array<float> s = 0.f;
  for (int i = 0; i < 6; ++i) s = s + slice<i>(x);
  return s;
});
auto const r = f(array<float, 6>{});
