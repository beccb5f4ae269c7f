// SPDX-License-Identifier: BSD-3-Clause
// ViT-B/16, two pictures of 224 x 224, a step of SGD; the same computed in bf16.
#include "training.hpp"

namespace {

using namespace bench;
entry const a1("etna", "vit_b16", [] { return by_sgd<vit_b16>(); });
entry const a2("etna", "vit_b16_bf16", [] { return by_sgd<vit_b16, bfloat16>(); });

}  // namespace
