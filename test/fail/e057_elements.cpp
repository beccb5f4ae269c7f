// SPDX-License-Identifier: BSD-3-Clause
// expect: E057
// remedy: write[ _]static[ _]const
// sentence clang: 6
#include <etna/language.hpp>
constexpr etna::array<float, 3> weights{1, 2, 3};
