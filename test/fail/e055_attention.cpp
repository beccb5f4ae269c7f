// SPDX-License-Identifier: BSD-3-Clause
// expect: E055
// expect: shape<2, 5, 3, 4>
#include <etna/language.hpp>

using namespace etna;

auto const f = [] {
  return dot_product_attention(array<float, 2, 7, 4, 4>{}, array<float, 2, 5, 3, 4>{}, array<float, 2, 5, 3, 4>{});
};
using result = decltype(f());
