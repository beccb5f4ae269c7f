// SPDX-License-Identifier: BSD-3-Clause
// Rules of some leaves against Optax.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto is_bias = [](auto path) { return path.ends_with("bias"); };
constexpr auto of_biases = optim::chain(optim::masked(optim::trace(0.9), is_bias), optim::sgd(0.1));
constexpr auto of_patterns = optim::chain(optim::masked<"bias">(optim::trace(0.9)), optim::sgd(0.1));
constexpr auto labelled = optim::multi_transform([](auto path) { return path.ends_with("bias") ? 1 : 0; },
                                                 optim::adam(0.1), optim::sgd(0.1, {.momentum = 0.9}));
constexpr auto frozen = optim::chain(optim::adam(0.1), optim::freeze(is_bias));
constexpr auto frozen_by_pattern = optim::chain(optim::adam(0.1), optim::freeze<"b*">());
}  // namespace

TEST_CASE("masked, multi_transform and freeze are Optax's") {
  is_optax<of_biases>(reference::optim_masked);
  is_optax<of_patterns>(reference::optim_masked);
  is_optax<labelled>(reference::optim_multi_transform);
  is_optax<frozen>(reference::optim_freeze);
  is_optax<frozen_by_pattern>(reference::optim_freeze);
}

TEST_CASE("only masked leaves are changed, and have a state") {
  auto const p = net_at<float>(1), g = net_at<float>(2);
  auto const rule = optim::masked(optim::scale(2.0), is_bias);
  auto const u = rule.update(g, rule.init(p)).first;
  CHECK(same_bits(u.kernel, g.kernel));
  CHECK(same_bits(u.bias, array<float, 4>(2 * g.bias)));
  static_assert(tree::size<optim::state_of<of_biases, net_of<float>>>() == 1);
  static_assert(tree::size<optim::state_of<labelled, net_of<float>>>() == 4);  // a count, two means, a trace
  // a mask of nothing, and one of everything
  auto const none = optim::masked(optim::trace(0.5), [](auto) { return false; });
  static_assert(tree::size<decltype(none.init(p))>() == 0);
  CHECK(same_bits(none.update(g, none.init(p)).first, g));
  auto const all = optim::masked(optim::scale(2.0), [](auto) { return true; });
  CHECK(same_bits(all.update(g, all.init(p)).first, optim::scale(2.0).update(g, tree::nothing{}).first));
}

TEST_CASE("layers of a model by their paths") {
  struct model {
    nn::dense<float, 3, 4> first;
    nn::dense<float, 4, 2> last;
  };
  auto const p = nn::init<model>(random::key(0));
  auto const rule = optim::multi_transform([](auto path) { return path.starts_with("last") ? 1 : 0; },
                                           optim::set_to_zero(), optim::sgd(1.0));
  auto const u = rule.update(p, rule.init(p)).first;
  static_assert(std::is_same_v<decltype(u), model const>);
  CHECK(same_bits(u.first, zeros_like(p.first)));
  CHECK(same_bits(u.last.kernel, array<float, 4, 2>(-p.last.kernel)));
}
