// SPDX-License-Identifier: BSD-3-Clause
// expect: E027
// expect: logical_not_p
// expect: array<int, 3>
#include <etna/language.hpp>

using namespace etna;

auto const z = !array<int, 3>{};
