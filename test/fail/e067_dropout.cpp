// SPDX-License-Identifier: BSD-3-Clause
// expect: E067
#include <etna/language.hpp>

using namespace etna;

auto const z = nn::dropout<0.5>{}(array<float, 3>{});
