// SPDX-License-Identifier: BSD-3-Clause
// expect: E019
// expect: shape<32, 10>
// expect: shape<32, 1>
// remedy: squeeze
#include <etna/etna.hpp>

using namespace etna;

auto const f = jit(
    [](array<float, 32, 10> logits, array<int, 32, 1> labels) { return mean(softmax_cross_entropy(logits, labels)); });
auto const r = f(array<float, 32, 10>{}, array<int, 32, 1>{});
