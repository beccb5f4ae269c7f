// SPDX-License-Identifier: BSD-3-Clause
// expect: E050
// expect: shift_left_p
#include <etna/language.hpp>

using namespace etna;

auto const z = [](auto const& x) { return x << 1; }(array<float, 2, 3>{});
