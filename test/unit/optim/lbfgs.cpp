// SPDX-License-Identifier: BSD-3-Clause
// L-BFGS and its line search against Optax.
#include "optim.hpp"

using namespace test;

namespace {

/// Rosenbrock's function of each row, and a bowl.
constexpr auto valley = [](auto const& p) {
  auto k = slice<every, range{1, 4}>(p.kernel), before = slice<every, range{0, 3}>(p.kernel);
  return sum(10 * square(k - square(before)) + square(1 - before)) + sum(square(p.bias - slice<0>(p.kernel)));
};
constexpr auto plain = optim::lbfgs<>{};
constexpr auto options = optim::lbfgs<3>{{.max_linesearch_steps = 8,
                                          .max_learning_rate = 0.8,
                                          .increase_factor = 1.5,
                                          .slope_rtol = 0.01,
                                          .curv_rtol = 0.3,
                                          .keep_learning_rate = true},
                                         false};

template <auto const& Rule, class T> struct lbfgs_step {
  using net = net_of<T>;
  using state = optim::state_of<Rule, net>;
  constexpr auto operator()(net const& p, state const& s) const {
    auto [value, gradient] = value_and_grad(valley)(p);
    auto [updates, next] = Rule.update(gradient, s, p, value, valley);
    static_assert(std::is_same_v<decltype(next), state>);
    return std::pair{optim::apply_updates(p, updates), next};
  }
};
template <auto const& Rule, class T, class F> std::vector<double> run_lbfgs(F const& step) {
  auto p = net_at<T>(1);
  auto s = Rule.init(p);
  std::vector<double> r;
  for (int i = 0; i < 15; ++i) {
    std::tie(p, s) = step(p, s);
    r.push_back(double(valley(p).item()));
    r.push_back(sum_of(p));
    CHECK(double(s.linesearch.value.item()) == doctest::Approx(r[r.size() - 2]).epsilon(1e-4));
  }
  return r;
}
template <auto const& Rule> void is_lbfgs_of_optax(std::vector<double> const& should) {
  auto is = run_lbfgs<Rule, double>(lbfgs_step<Rule, double>{});
  MESSAGE(difference(is, should));
  CHECK(difference(is, should) < 1e-10);
  constexpr auto step =
      jit([](net_of<double> p, optim::state_of<Rule, net_of<double>> s) { return lbfgs_step<Rule, double>{}(p, s); });
  is = run_lbfgs<Rule, double>(step);
  MESSAGE(difference(is, should));
  CHECK(difference(is, should) < 1e-10);
}

}  // namespace

TEST_CASE("lbfgs is Optax's") {
  is_lbfgs_of_optax<plain>(reference::optim_lbfgs);
  is_lbfgs_of_optax<options>(reference::optim_lbfgs_options);
}
