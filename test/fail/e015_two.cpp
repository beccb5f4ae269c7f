// SPDX-License-Identifier: BSD-3-Clause
// expect: E015
// expect: argnum<0>, .*argnum<2>
#include <etna/language.hpp>

using namespace etna;

auto const g = grad<0, 2>([](auto x, auto y) { return x * y; })(1.0, 2.0);
