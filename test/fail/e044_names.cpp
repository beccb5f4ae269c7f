// SPDX-License-Identifier: BSD-3-Clause
// expect: E044
// expect: named
#include <etna/language.hpp>

using namespace etna;

array<float, "n"_n, 2> const x;
array<float, "m"_n, 2> const y;
array<float, "k"_n, 2> const z;
array<float, "j"_n, 2> const w;
using joined = decltype(concatenate<0>(x, y, z, w));
