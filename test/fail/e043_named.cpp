// SPDX-License-Identifier: BSD-3-Clause
// expect: E043
// expect: named
#include <etna/language.hpp>

using namespace etna;

array<float, "sentence"_n, 2> const x;
using padded = decltype(pad<1>(x));
