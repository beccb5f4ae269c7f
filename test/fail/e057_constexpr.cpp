// SPDX-License-Identifier: BSD-3-Clause
// expect: E057
// remedy: write[ _]static[ _]const
// errors g++: 2
#include <etna/language.hpp>
constexpr etna::array<float, 100> weights;
