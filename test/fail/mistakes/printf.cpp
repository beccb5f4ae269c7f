// SPDX-License-Identifier: BSD-3-Clause
// expect: E008
// remedy: debug::print
// errors g++: 2
// place: printf.cpp:12:
#include <etna/etna.hpp>
#include <cstdio>

using namespace etna;

auto const f = jit([](array<float, 3> x) {
  std::printf("here\n");
  return x * 2;
});
auto const r = f(array<float, 3>{});
