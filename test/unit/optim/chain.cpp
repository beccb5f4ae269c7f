// SPDX-License-Identifier: BSD-3-Clause
// Chains, their parts, and how few kernels a compiled one is.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto rate = optim::warmup_cosine_decay_schedule(0.01, 0.1, 5, 25, 0.001);
constexpr auto scaled = optim::scale(-0.3);
constexpr auto decayed = optim::chain(optim::add_decayed_weights(rate), optim::sgd(0.1));

struct large {
  array<float, 512, 512> kernel;
  array<float, 512> bias;
};
constexpr auto rule = optim::chain(optim::clip_by_global_norm(1.0), optim::adamw(1e-3));
constexpr auto step = jit([](large p, optim::state_of<rule, large> s, large g) {
  auto [updates, next] = rule.update(g, s, p);
  return std::pair{optim::apply_updates(p, updates), next};
});
}  // namespace

TEST_CASE("scale and add_decayed_weights are Optax's") {
  is_optax<scaled>(reference::optim_scale);
  is_optax<decayed>(reference::optim_add_decayed_weights);
}

TEST_CASE("a chain is its parts, one after another") {
  auto const p = net_at<double>(1), g = net_at<double>(2);
  constexpr auto first = optim::trace(0.9), second = optim::trace(0.5, true);
  constexpr auto both = optim::chain(first, optim::identity(), second);
  auto s = both.init(p);
  auto a = first.init(p);
  auto b = second.init(p);
  for (int i = 0; i < 3; ++i) {
    auto [u, next] = both.update(g, s);
    auto [v, after] = first.update(g, a);
    auto [w, end] = second.update(v, b);
    near(u, w);
    near(next, std::tuple{after, tree::nothing{}, end});
    s = next;
    a = after;
    b = end;
  }
  // a chain of one, whose state is a tuple, and a chain of nothing
  auto one = optim::chain(optim::chain(optim::trace(0.9)));
  static_assert(std::is_same_v<decltype(one.init(p)), std::tuple<std::tuple<optim::trace_state<net_of<double>>>>>);
  near(one.update(g, one.init(p)).first, g);
  near(optim::chain().update(g, optim::chain().init(p)).first, g);
  near(optim::set_to_zero().update(g, tree::nothing{}).first, zeros_like(g));
}

TEST_CASE("scale_by_schedule counts the steps") {
  auto const g = net_at<double>(2);
  auto const rule = optim::scale_by_schedule([](auto const& count) { return 2 * count; });
  auto s = rule.init(g);
  for (int i = 0; i < 4; ++i) {
    auto [u, next] = rule.update(g, s);
    near(u, tree::map([&](auto const& x) { return 2. * i * x; }, g));
    s = next;
  }
  CHECK(s.count.item() == 4);
}

TEST_CASE("an optimizer of jitted functions") {
  constexpr auto one = jit([](net_of<float> p, net_of<float> g) {
    auto rule = optim::chain(optim::clip(0.5), optim::adam(optim::linear_schedule(0.1, 0.0, 10)));
    return optim::apply_updates(p, rule.update(g, rule.init(p), p).first);
  });
  auto const p = net_at<float>(1), g = net_at<float>(2);
  near(one(p, g), one.f(p, g));
}

// Two sums of squares, two kernels of single numbers (corrections, the norm), and one of each leaf: it reads gradient,
// two means and parameters once, and writes the last three once. The two leaves' are one kernel of two sizes.
TEST_CASE("clipping, AdamW and the updates of a leaf are one kernel") {
  using plan = plan_type<decltype(step)>;
  static_assert(plan::kernel_count == 6);
  static_assert(plan::unique_kernels == 5);
  static_assert(plan::arena_bytes <= 256);
  auto const text = show_plan(step);
  CHECK(text.find(std::to_string(7 * 512 * 512 * 4 + 12) + " bytes") != std::string::npos);
  CHECK(text.find(std::to_string(7 * 512 * 4 + 12) + " bytes") != std::string::npos);
}
