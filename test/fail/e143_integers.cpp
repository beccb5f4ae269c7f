// SPDX-License-Identifier: BSD-3-Clause
// expect: E143
#include <etna/language.hpp>

using namespace etna;

array<int, 2, 2> const a;
auto const d = linalg::det(a);
