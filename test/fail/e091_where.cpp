// SPDX-License-Identifier: BSD-3-Clause
// expect: E091
// remedy: array<double>\(0.1\)
#include <etna/language.hpp>

using namespace etna;

array<bool, 3> const c;
auto const x = where(c, 0.1f, 0.2f);  // the C++ type says f32
auto const n = where(c, 1, 0);
auto const y = where(c, 0.1, 0.2);
