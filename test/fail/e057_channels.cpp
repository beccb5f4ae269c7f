// SPDX-License-Identifier: BSD-3-Clause
// expect: E057
// expect: shape<2, 8, 8, 3>
#include <etna/language.hpp>

using namespace etna;

auto const f = [] {
  return conv_general(array<float, 2, 8, 8, 3>{}, array<float, 3, 3, 4, 5>{},
                      dimension_numbers<"NHWC", "HWIO", "NHWC">);
};
using result = decltype(f());
