// SPDX-License-Identifier: BSD-3-Clause
// Gradient descent against Optax.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto rate = optim::warmup_cosine_decay_schedule(0.01, 0.1, 5, 25, 0.001);
constexpr auto plain = optim::sgd(0.1);
constexpr auto scheduled = optim::sgd(rate);
constexpr auto with_momentum = optim::sgd(0.1, {.momentum = 0.9});
constexpr auto ahead = optim::sgd(rate, {.momentum = 0.9, .nesterov = true});
}  // namespace

TEST_CASE("sgd is Optax's") {
  is_optax<plain>(reference::optim_sgd);
  is_optax<scheduled>(reference::optim_sgd_scheduled);
  is_optax<with_momentum>(reference::optim_sgd_momentum);
  is_optax<ahead>(reference::optim_sgd_nesterov);
  static_assert(tree::size<optim::state_of<plain, net_of<float>>>() == 0, "no state but a schedule's");
}

TEST_CASE("sgd subtracts the scaled gradient, whatever its rate is") {
  net_of<double> const p = net_at<double>(1), g = net_at<double>(2);
  auto const want = tree::map([](auto const& x, auto const& y) { return x - 0.25 * y; }, p, g);
  auto const check = [&](auto const& rule) { near(optim::apply_updates(p, rule.update(g, rule.init(p)).first), want); };
  check(optim::sgd(0.25));
  check(optim::sgd(0.25f));
  check(optim::sgd(array<double>(0.25)));
  check(optim::sgd(array<float>(0.25f)));
  check(optim::sgd([](array<int> const& count) { return 0.25 + 0 * count; }));
  check(optim::sgd(optim::constant_schedule(0.25)));
  // an argument of a compiled function
  auto const step = jit([](net_of<double> p, net_of<double> g, array<double> rate) {
    auto rule = optim::sgd(rate);
    return optim::apply_updates(p, rule.update(g, rule.init(p)).first);
  });
  near(step(p, g, 0.25), want);
}
