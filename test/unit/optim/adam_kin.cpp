// SPDX-License-Identifier: BSD-3-Clause
// Optimizers like Adam against Optax.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto rate = optim::warmup_cosine_decay_schedule(0.01, 0.1, 5, 25, 0.001);
constexpr auto adamax = optim::adamax(0.1);
constexpr auto adamaxw = optim::adamaxw(0.1, {}, 0.05);
constexpr auto amsgrad = optim::amsgrad(0.1, {.b2 = 0.9});
constexpr auto adabelief = optim::adabelief(0.1);
constexpr auto yogi = optim::yogi(0.1);
constexpr auto radam = optim::radam(0.1);
constexpr auto radam_ahead = optim::radam(rate, {.b2 = 0.99, .nesterov = true});
}  // namespace

TEST_CASE("adamax, amsgrad, adabelief and yogi are Optax's") {
  is_optax<adamax>(reference::optim_adamax);
  is_optax<adamaxw>(reference::optim_adamaxw);
  is_optax<amsgrad>(reference::optim_amsgrad);
  is_optax<adabelief>(reference::optim_adabelief, 1e-3);
  is_optax<yogi>(reference::optim_yogi);
}

TEST_CASE("radam is Optax's, before its squares count and behind that") {
  is_optax<radam>(reference::optim_radam);
  is_optax<radam_ahead>(reference::optim_radam_nesterov);
}
