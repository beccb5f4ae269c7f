// SPDX-License-Identifier: BSD-3-Clause
// expect: E011_a_name_has_1_to_12
// errors g++: 3
#include <etna/language.hpp>

using namespace etna;

array<float, "Batch"_n> const x;
