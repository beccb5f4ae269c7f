// SPDX-License-Identifier: BSD-3-Clause
// expect: E036
// remedy: zeros<float, 3, 4>\(\)
#include <etna/language.hpp>

using namespace etna;

auto const x = zeros<float>({3, 2});
