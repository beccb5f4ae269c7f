// SPDX-License-Identifier: BSD-3-Clause
// expect: E014
// expect: argnum<1>
// expect: double, int
#include <etna/language.hpp>

using namespace etna;

auto const g = grad<1>([](auto x, auto n) { return x * n; })(2.0, 3);
