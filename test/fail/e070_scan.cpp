// SPDX-License-Identifier: BSD-3-Clause
// expect: E070
// expect: array<float>
#include <etna/language.hpp>

using namespace etna;

auto const z = scan([](auto c, auto x) { return c + x; }, array<float>(0.f), array<float, 3>{});
