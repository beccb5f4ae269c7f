// SPDX-License-Identifier: BSD-3-Clause
// expect: E013
// expect: array<float, 3>
#include <etna/language.hpp>

using namespace etna;

auto const g = value_and_grad([](array<float, 3> v) { return v; })(array<float, 3>{});
