// SPDX-License-Identifier: BSD-3-Clause
// expect: E036
// expect: write grad<0>\(f\)
#include <etna/language.hpp>

using namespace etna;

auto const f = grad([](auto const& x, auto const& y) { return x * y; }, 1);
