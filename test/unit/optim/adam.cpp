// SPDX-License-Identifier: BSD-3-Clause
// Adam and its kin against Optax.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto rate = optim::warmup_cosine_decay_schedule(0.01, 0.1, 5, 25, 0.001);
constexpr auto plain = optim::adam(0.1);
constexpr auto scheduled = optim::adam(rate, {.b1 = 0.8, .b2 = 0.95, .eps = 1e-3, .eps_root = 1e-4});
constexpr auto ahead = optim::nadam(0.1);
constexpr auto decaying = optim::adamw(0.1, {.weight_decay = 0.05});
constexpr auto decaying_ahead = optim::nadamw(rate, {.weight_decay = 0.05});
constexpr auto of_kernels =
    optim::adamw(0.1, {.weight_decay = 0.05}, [](auto path) { return path.ends_with("kernel"); });
constexpr auto of_patterns = optim::adamw<"ker*">(0.1, {.weight_decay = 0.05});
}  // namespace

TEST_CASE("adam and adamw are Optax's") {
  is_optax<plain>(reference::optim_adam);
  is_optax<scheduled>(reference::optim_adam_scheduled);
  is_optax<ahead>(reference::optim_nadam);
  is_optax<decaying>(reference::optim_adamw);
  is_optax<decaying_ahead>(reference::optim_nadamw);
}

TEST_CASE("adamw decays what its mask accepts") {
  is_optax<of_kernels>(reference::optim_adamw_masked);
  is_optax<of_patterns>(reference::optim_adamw_masked);
}

TEST_CASE("adam's first step is its rate, whatever the gradient's size") {
  array<double, 3> const gradient{0.25, 4.0, -1e-3};
  auto [updates, state] = plain.update(gradient, plain.init(gradient));
  CHECK(updates(0) == doctest::Approx(-0.1).epsilon(1e-4));
  CHECK(updates(1) == doctest::Approx(-0.1).epsilon(1e-4));
  CHECK(updates(2) == doctest::Approx(0.1).epsilon(1e-4));
  CHECK(std::get<0>(state).count.item() == 1);
}
