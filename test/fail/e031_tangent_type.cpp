// SPDX-License-Identifier: BSD-3-Clause
// expect: E031
// expect: array<float, 3>
// expect: array<double, 3>
#include <etna/language.hpp>

using namespace etna;

auto const z = jvp([](auto a) { return a * a; }, array<float, 3>{}, array<double, 3>{});
