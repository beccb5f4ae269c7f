// SPDX-License-Identifier: BSD-3-Clause
// Adan and NovoGrad against Optax.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto adan = optim::adan(0.1, {.weight_decay = 0.02});
constexpr auto novograd = optim::novograd(0.1, {.weight_decay = 0.02});
}  // namespace

TEST_CASE("adan and novograd are Optax's") {
  is_optax<adan>(reference::optim_adan);
  is_optax<novograd>(reference::optim_novograd);
}
