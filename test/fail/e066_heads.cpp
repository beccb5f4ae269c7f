// SPDX-License-Identifier: BSD-3-Clause
// expect: E066
// expect: shape<4, 16>
#include <etna/language.hpp>

using namespace etna;

auto const z = [](nn::dense_general<float, nn::shape<4, 16>, nn::shape<64>> const& layer) {
  return layer(array<float, 7, 64>{});
}({});
