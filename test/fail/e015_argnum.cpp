// SPDX-License-Identifier: BSD-3-Clause
// expect: E015
// expect: argnum<1>
#include <etna/language.hpp>

using namespace etna;

auto const g = grad<1>([](array<float, 3> v) { return sum(v); })(array<float, 3>{});
