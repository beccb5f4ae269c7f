// SPDX-License-Identifier: BSD-3-Clause
// expect: E019
// expect: shape<4, 10>
// expect: shape<5>
#include <etna/language.hpp>

using namespace etna;

auto const z = softmax_cross_entropy(array<float, 4, 10>{}, array<int, 5>{});
