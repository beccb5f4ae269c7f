// SPDX-License-Identifier: BSD-3-Clause
// expect: E071
// expect: array<float>
// expect: array<double>
// remedy: astype
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit([](array<float, 4> x) {
  return scan([](auto c, auto y) { return std::pair{astype<double>(c + y), y}; }, array<float>(0.f), x).first;
});
auto const r = f(array<float, 4>{});
