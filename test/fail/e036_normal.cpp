// SPDX-License-Identifier: BSD-3-Clause
// expect: E036
// expect: write normal<float, 3, 4>\(key\)
#include <etna/language.hpp>

using namespace etna;

auto const z = random::normal<float>(random::key(1), {3, 4});
