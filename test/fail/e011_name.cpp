// SPDX-License-Identifier: BSD-3-Clause
// expect: E011|operator""_n
#include <etna/language.hpp>

using namespace etna;

array<float, "Batch"_n> const x;
