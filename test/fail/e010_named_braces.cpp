// SPDX-License-Identifier: BSD-3-Clause
// expect: E010
#include <etna/language.hpp>

using namespace etna;

array<float, "batch"_n> const x{1, 2, 3};
