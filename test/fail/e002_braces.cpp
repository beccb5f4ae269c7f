// SPDX-License-Identifier: BSD-3-Clause
// expect: narrow
// expect: int
#include <etna/language.hpp>

using namespace etna;

array<int, 3> const x{0.5, 1.0, 2.0};
