// SPDX-License-Identifier: BSD-3-Clause
// Steps by signs against Optax.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto lion = optim::lion(0.1, {.weight_decay = 0.02});
constexpr auto of_all = optim::lion(0.1, {.weight_decay = 0.02}, [](auto) { return true; });
constexpr auto sign_sgd = optim::sign_sgd(0.1);
constexpr auto rprop = optim::rprop(0.1);
constexpr auto optimistic = optim::optimistic_gradient_descent(0.1, 0.8, 0.6);
}  // namespace

TEST_CASE("lion, sign_sgd, rprop and optimistic_gradient_descent are Optax's") {
  is_optax<lion>(reference::optim_lion);
  is_optax<of_all>(reference::optim_lion);
  is_optax<sign_sgd>(reference::optim_sign_sgd);
  is_optax<rprop>(reference::optim_rprop);
  is_optax<optimistic>(reference::optim_optimistic);
}
