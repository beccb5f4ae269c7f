// SPDX-License-Identifier: BSD-3-Clause
// expect: E020
// expect: array<float, 4, 10>
#include <etna/language.hpp>

using namespace etna;

auto const z = softmax_cross_entropy(array<float, 4, 10>{}, array<bool, 4, 10>{});
