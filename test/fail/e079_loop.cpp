// SPDX-License-Identifier: BSD-3-Clause
// expect: E079
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = [](array<float> x) {
  auto last = x;
  (void)fori_loop<0, 3>([&](auto, auto c) { return last = c * x; }, x);
  return last;
};
auto z(array<float> a) { return jit(f)(a); }
