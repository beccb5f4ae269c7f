// SPDX-License-Identifier: BSD-3-Clause
// expect: E038
// expect: lgamma
#include <math.h>

#include <etna/language.hpp>

using namespace etna;

array<double> const x;
auto const z = lgamma(x);
