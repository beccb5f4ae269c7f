// SPDX-License-Identifier: BSD-3-Clause
// expect: E029
#include <etna/language.hpp>

using namespace etna;

array<float, "a_long_name"_n, 3> const x;
auto const z = ravel(x);
