// SPDX-License-Identifier: BSD-3-Clause
// expect: E014
// expect: argnum<0>
// expect: array<int, 3>
#include <etna/language.hpp>

using namespace etna;

auto const g = grad([](array<int, 3> v) { return sum(v * 0.5); })(array<int, 3>{});
