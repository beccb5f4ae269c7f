// SPDX-License-Identifier: BSD-3-Clause
// expect: E026
// expect: int
#include <etna/language.hpp>

using namespace etna;

auto const x = linspace<int, 5>(0, 1);
