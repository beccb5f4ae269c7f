// SPDX-License-Identifier: BSD-3-Clause
// RMSProp, Adagrad and Adadelta against Optax.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto rate = optim::warmup_cosine_decay_schedule(0.01, 0.1, 5, 25, 0.001);
constexpr auto rmsprop = optim::rmsprop(0.1);
constexpr auto options = optim::rmsprop(
    rate, {.decay = 0.8, .eps = 1e-3, .initial_scale = 0.1, .eps_in_sqrt = false, .bias_correction = true});
constexpr auto with_momentum = optim::chain(optim::rmsprop(0.1), optim::trace(0.9));
constexpr auto about_the_mean = optim::rmsprop(0.1, {.decay = 0.8, .eps = 1e-3}, optim::centered);
constexpr auto adagrad = optim::adagrad(0.1);
constexpr auto adadelta = optim::adadelta(1.0, {.weight_decay = 0.01});
}  // namespace

TEST_CASE("rmsprop is Optax's") {
  is_optax<rmsprop>(reference::optim_rmsprop);
  is_optax<options>(reference::optim_rmsprop_options);
  is_optax<with_momentum>(reference::optim_rmsprop_momentum);
  is_optax<about_the_mean>(reference::optim_rmsprop_centered);
}

TEST_CASE("adagrad and adadelta are Optax's") {
  is_optax<adagrad>(reference::optim_adagrad);
  is_optax<adadelta>(reference::optim_adadelta);
}
