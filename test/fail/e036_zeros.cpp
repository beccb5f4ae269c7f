// SPDX-License-Identifier: BSD-3-Clause
// expect: E036
// expect: write zeros<float, 3, 4>\(\)
#include <etna/language.hpp>

using namespace etna;

auto const z = zeros<float>(3, 4);
