// SPDX-License-Identifier: BSD-3-Clause
// expect: E013
// expect: array<int
#include <etna/language.hpp>

using namespace etna;

auto const g = grad([](array<float, 3> v) { return argmax(v); })(array<float, 3>{});
