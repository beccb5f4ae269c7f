// SPDX-License-Identifier: BSD-3-Clause
// expect: E012
#include <etna/language.hpp>

using namespace etna;

array<float, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1> const x;
