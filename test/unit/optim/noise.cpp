// SPDX-License-Identifier: BSD-3-Clause
// Noise against Optax: JAX's draws for the same key.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto noisy = optim::noisy_sgd(0.1, 3, 0.02, 0.6);
}  // namespace

TEST_CASE("a key is that of its seed") {
  auto const p = net_at<float>(1);
  auto const rule = optim::add_noise(0.02, 0.6, random::key(3));
  auto const of_seed = optim::add_noise(0.02, 0.6, 3);
  CHECK(same_bits(rule.update(p, rule.init(p)), of_seed.update(p, of_seed.init(p))));
}

TEST_CASE("noisy_sgd is Optax's") { is_optax<noisy>(reference::optim_noisy_sgd, 1); }  // other draws in f32
