// SPDX-License-Identifier: BSD-3-Clause
// Steps as large as their parameters, against Optax.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto lamb = optim::lamb(0.1, {.weight_decay = 0.02});
constexpr auto lars = optim::lars(0.1, {.weight_decay = 0.02, .trust_coefficient = 0.1});
constexpr auto fromage = optim::fromage(0.1);
constexpr auto normalized = optim::chain(optim::normalize_by_update_norm(), optim::sgd(0.1));
}  // namespace

TEST_CASE("lamb, lars, fromage and normalize_by_update_norm are Optax's") {
  is_optax<lamb>(reference::optim_lamb);
  is_optax<lars>(reference::optim_lars);
  is_optax<fromage>(reference::optim_fromage);
  is_optax<normalized>(reference::optim_normalize_by_update_norm);
}

TEST_CASE("leaves of zeros keep their updates") {
  constexpr auto rule = optim::scale_by_trust_ratio();
  array<double, 2> const p{0, 0}, g{3, 4};
  CHECK(same_bits(rule.update(g, rule.init(p), p).first, g));
  CHECK(same_bits(rule.update(p, rule.init(p), g).first, p));
  constexpr auto by_norm = optim::scale_by_param_block_norm(0.5);
  near(by_norm.update(g, by_norm.init(p), g).first, 5 * g);
  near(by_norm.update(g, by_norm.init(p), p).first, 0.5 * g);
}
