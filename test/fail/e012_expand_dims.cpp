// SPDX-License-Identifier: BSD-3-Clause
// expect: E012
// expect: rank<11>
#include <etna/language.hpp>

using namespace etna;

array<float, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2> const x;
auto const z = expand_dims<0>(x);
