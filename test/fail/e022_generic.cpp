// SPDX-License-Identifier: BSD-3-Clause
// expect: E022
#include <etna/etna.hpp>

using namespace etna;

constexpr auto f = jit([](auto x) {
  return tree::map([](auto a, auto b) { return a + b; }, std::pair{x, x}, std::tuple{x, x, x});
});
auto const y = f(array<float, 3>{});
