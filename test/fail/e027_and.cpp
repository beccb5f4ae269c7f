// SPDX-License-Identifier: BSD-3-Clause
// expect: E027
// expect: logical_and_p
// expect: array<float, 3>
#include <etna/language.hpp>

using namespace etna;

auto const z = array<float, 3>{} && array<bool, 3>{};
