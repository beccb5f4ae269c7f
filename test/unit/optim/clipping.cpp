// SPDX-License-Identifier: BSD-3-Clause
// Clipped and centered gradients against Optax.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto elements = optim::chain(optim::clip(0.3), optim::sgd(0.1));
constexpr auto global = optim::chain(optim::clip_by_global_norm(1.5), optim::adamw(0.1, {.weight_decay = 0.05}));
constexpr auto blocks = optim::chain(optim::clip_by_block_rms(0.4), optim::sgd(0.1));
constexpr auto units = optim::chain(optim::adaptive_grad_clip(0.3), optim::sgd(0.1));
constexpr auto centered = optim::chain(optim::centralize(), optim::sgd(0.1));
}  // namespace

TEST_CASE("clips are Optax's") {
  is_optax<elements>(reference::optim_clip);
  is_optax<global>(reference::optim_clip_by_global_norm);
  is_optax<blocks>(reference::optim_clip_by_block_rms);
  is_optax<units>(reference::optim_adaptive_grad_clip);
  is_optax<centered>(reference::optim_centralize);
}

TEST_CASE("bounds are arrays too, of another element type") {
  array<float, 3> const g{3, -4, 0.25f};
  auto of = [&](auto const& rule) { return rule.update(g, rule.init(g)).first; };
  CHECK(same_bits(of(optim::clip(array<double>(0.5))), array<float, 3>{0.5, -0.5, 0.25}));
  near(of(optim::clip_by_global_norm(array<double>(0.5))), of(optim::clip_by_global_norm(0.5)));
  near(of(optim::clip_by_block_rms(array<double>(0.5))), of(optim::clip_by_block_rms(0.5f)));
}

TEST_CASE("a unit of a convolution is its last axis") {
  auto const g = some<array<double, 2, 3, 4, 5>>(1), p = some<array<double, 2, 3, 4, 5>>(2);
  auto const rule = optim::adaptive_grad_clip(0.1);
  auto const u = rule.update(g, rule.init(p), p).first;
  near(sqrt(sum<0, 1, 2>(square(u))), 0.1 * sqrt(sum<0, 1, 2>(square(p))));
}
