// SPDX-License-Identifier: BSD-3-Clause
// expect: E071
// expect: array<int>
#include <etna/language.hpp>

using namespace etna;

auto const z = while_loop([](auto x) { return x < 3; }, [](auto x) { return x * 0.5; }, array<int>(1));
