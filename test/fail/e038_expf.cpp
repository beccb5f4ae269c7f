// SPDX-License-Identifier: BSD-3-Clause
// expect: E038
// expect: write exp
#include <math.h>

#include <etna/language.hpp>

using namespace etna;

array<float> const x;
auto const z = expf(x);
