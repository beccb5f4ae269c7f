// SPDX-License-Identifier: BSD-3-Clause
// expect: E073
// expect: array<bool, 2>
#include <etna/language.hpp>

using namespace etna;

auto const z = while_loop([](auto x) { return x < 3.f; }, [](auto x) { return x; }, array<float, 2>{});
