// SPDX-License-Identifier: BSD-3-Clause
// A small vision transformer, 64 pictures of 28 x 28 in patches of 7, four blocks of width 128, a step of Adam; and a
// product of bf16.
#include "training.hpp"

namespace {

using namespace bench;
entry const a1("etna", "vit_small", [] { return by_adamw<vit_small>(0); });

using narrow = array<bfloat16, 1024, 1024>;
constexpr auto product = jit([](narrow a, narrow b) { return dot(a, b); });
entry const a2("etna", "dot_bf16", [] {
  return of(product, 1, astype<bfloat16>(filled<array<float, 1024, 1024>>(18, 2)),
            astype<bfloat16>(filled<array<float, 1024, 1024>>(19, 2)));
});

}  // namespace
