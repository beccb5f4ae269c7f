// SPDX-License-Identifier: BSD-3-Clause
// Rules about rules against Optax.
#include <limits>

#include "optim.hpp"

using namespace test;

namespace {
constexpr auto rate = optim::warmup_cosine_decay_schedule(0.01, 0.1, 5, 25, 0.001);
constexpr auto means = optim::multi_steps(optim::adam(0.1), 3);
constexpr auto sums = optim::multi_steps(
    optim::sgd(rate), [](array<int> const&) { return 3; }, false);
constexpr auto injected = optim::inject_hyperparams([](auto const& rate) { return optim::adam(rate); }, rate);
constexpr auto guarded = optim::apply_if_finite(optim::adam(0.1), 2);
constexpr auto with_parameters = optim::multi_steps(optim::adamw(0.1), 2);

/// The steps of test/data/optim.py where an element is lost.
template <class F> std::vector<double> run_with_lost(F const& step) {
  int i = 0;
  return run_steps<guarded, double>([&](auto const& p, auto const& s, auto g) {
    if (i == 3 || i == 7 || i == 8)
      g.kernel = g.kernel.template at<1, 2>().set(std::numeric_limits<double>::quiet_NaN());
    ++i;
    return step(p, s, g);
  });
}
}  // namespace

TEST_CASE("multi_steps is Optax's") {
  is_optax<means>(reference::optim_multi_steps);
  is_optax<sums>(reference::optim_multi_steps_sums);
}

TEST_CASE("multi_steps hands parameters on, and counts") {
  auto const p = net_at<float>(1), g = net_at<float>(2);
  auto [u, s] = with_parameters.update(g, with_parameters.init(p), p);
  CHECK(same_bits(u, zeros_like(g)));
  CHECK(s.mini_step.item() == 1);
  auto [v, t] = with_parameters.update(g, s, p);
  near(v, optim::adamw(0.1).update(g, optim::adamw(0.1).init(p), p).first);
  CHECK(t.mini_step.item() == 0);
  CHECK(t.gradient_step.item() == 1);
  CHECK(same_bits(t.acc_grads, zeros_like(g)));
}

TEST_CASE("inject_hyperparams is Optax's") { is_optax<injected>(reference::optim_inject_hyperparams); }

TEST_CASE("hyperparameters are read and changed in the state") {
  auto const p = net_at<float>(1), g = net_at<float>(2);
  auto const rule = optim::inject_hyperparams(
      [](auto const& rate, auto const& decay) { return optim::sgd(rate * decay); }, 0.5, rate);
  auto s = rule.init(p);
  static_assert(std::is_same_v<decltype(s.hyperparams), std::tuple<array<float>, array<float>>>);
  CHECK(std::get<0>(s.hyperparams).item() == 0.5f);
  CHECK(std::get<1>(s.hyperparams).item() == doctest::Approx(0.01));
  std::get<0>(s.hyperparams) = array<float>(2.f);
  auto [u, next] = rule.update(g, s);
  near(u, tree::map([](auto const& x) { return -0.02f * x; }, g));
  CHECK(std::get<0>(next.hyperparams).item() == 2.f);
}

TEST_CASE("apply_if_finite is Optax's, and leaves out what is not") {
  CHECK(difference(run_with_lost(step_of<guarded, double>{}), reference::optim_apply_if_finite) < 1e-10);
  constexpr auto step = jit([](net_of<double> p, optim::state_of<guarded, net_of<double>> s, net_of<double> g) {
    return step_of<guarded, double>{}(p, s, g);
  });
  CHECK(difference(run_with_lost(step), reference::optim_apply_if_finite) < 1e-10);

  array<double, 2> const p{1, 2}, good{1, 2}, bad{1, std::numeric_limits<double>::infinity()};
  auto s = guarded.init(p);
  for (int i = 0; i < 2; ++i) {
    auto [u, next] = guarded.update(bad, s);
    CHECK(same_bits(u, zeros_like(p)));
    CHECK(next.notfinite_count.item() == i + 1);
    CHECK(!next.last_finite.item());
    s = next;
  }
  auto [u, next] = guarded.update(good, s);
  CHECK(next.notfinite_count.item() == 0);
  CHECK(next.total_notfinite.item() == 2);
  CHECK(u(0) == doctest::Approx(-0.1));
  auto [v, third] = guarded.update(bad, s);  // the third one after another goes through
  CHECK(!std::isfinite(v(1)));
}
