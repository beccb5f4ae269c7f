// SPDX-License-Identifier: BSD-3-Clause
// expect: E050
// expect: bit_and_p
// expect: array<float, 3>
#include <etna/language.hpp>

using namespace etna;

auto const z = array<float, 3>{} & array<int, 3>{};
