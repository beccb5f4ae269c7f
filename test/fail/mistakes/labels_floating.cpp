// SPDX-License-Identifier: BSD-3-Clause
// expect: E020
// expect: array<float, 32>
// remedy: astype<int>
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit(
    [](array<float, 32, 10> logits, array<float, 32> labels) { return mean(softmax_cross_entropy(logits, labels)); });
auto const r = f(array<float, 32, 10>{}, array<float, 32>{});
