// SPDX-License-Identifier: BSD-3-Clause
// expect: E071
// expect: array<float>
// expect: array<float, 2>
// remedy: start from one that fits
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 4, 2> x) {
  return scan([](auto c, auto y) { return std::pair{c + y, y}; }, array<float>(0.f), x).second;
});
auto const r = f(array<float, 4, 2>{});
