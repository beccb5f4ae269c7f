// SPDX-License-Identifier: BSD-3-Clause
// expect: E071
// expect: array<float, 2>
#include <etna/language.hpp>

using namespace etna;

auto const z = scan([](auto c, auto x) { return std::pair{c + x, x}; }, array<float>(0.f), array<float, 3, 2>{});
