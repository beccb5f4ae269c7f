// SPDX-License-Identifier: BSD-3-Clause
// Optimizers as test/data/optim.py runs them: 20 steps of two leaves, eager and in jit, in f64 and f32.
#pragma once
#include <algorithm>

#include "data/optim.inc.hpp"
#include "same.hpp"

namespace test {

template <class T> struct net_of {
  array<T, 3, 4> kernel;
  array<T, 4> bias;
};
template <class T> net_of<T> net_at(int seed) { return {some<array<T, 3, 4>>(seed), some<array<T, 4>>(seed + 1)}; }
/// The gradient of step i: a formula plus a quarter of the parameters.
template <class T> net_of<T> gradient_at(int i, net_of<T> const& p) {
  return tree::map([](auto const& x, auto const& q) { return x + q / 4; }, net_at<T>(100 + 2 * i), p);
}
template <class T> double sum_of(net_of<T> const& p) {
  auto w = net_at<T>(7);
  return double(sum(p.kernel * w.kernel).item()) + double(sum(p.bias * w.bias).item());
}
template <class T> std::vector<double> elements_of(net_of<T> const& p) {
  std::vector<double> r;
  tree::for_each([&](auto const& x) { r.insert(r.end(), x.data(), x.data() + x.size()); }, p);
  return r;
}
/// The largest |is - should| / (1 + |should|).
inline double difference(std::vector<double> const& is, std::vector<double> const& should) {
  if (is.size() != should.size()) return 1e300;
  double worst = 0;
  for (std::size_t i = 0; i < is.size(); ++i)
    worst = std::max(worst, std::abs(is[i] - should[i]) / (1 + std::abs(should[i])));
  return worst;
}

/// One step of a rule.
template <auto const& Rule, class T> struct step_of {
  using net = net_of<T>;
  using state = optim::state_of<Rule, net>;
  constexpr auto operator()(net const& p, state const& s, net const& g) const {
    auto [updates, next] = Rule.update(g, s, p);
    static_assert(std::is_same_v<decltype(updates), net>, "updates keep their type");
    static_assert(std::is_same_v<decltype(next), state>, "a state has one type");
    return std::pair{optim::apply_updates(p, updates), next};
  }
};
/// The sums and elements of 20 steps that `step` makes.
template <auto const& Rule, class T, class F> std::vector<double> run_steps(F const& step) {
  auto p = net_at<T>(1);
  auto s = Rule.init(p);
  std::vector<double> r;
  for (int i = 0; i < 20; ++i) {
    std::tie(p, s) = step(p, s, gradient_at(i, p));
    r.push_back(sum_of(p));
  }
  auto last = elements_of(p);
  r.insert(r.end(), last.begin(), last.end());
  return r;
}

/// Leaves of a state have memory of their own: what shares it the first step would copy, not update in place.
template <auto const& Rule> bool has_own_memory() {
  struct large {
    array<double, 30, 40> kernel;
    array<double, 40> bias;
  };
  std::vector<void const*> places;
  auto const s = Rule.init(large{});
  tree::for_each(
      [&](auto const& x) {
        if constexpr (any_array<decltype(x)>)
          if constexpr (!std::remove_cvref_t<decltype(x)>::in_object) places.push_back(x.data());
      },
      s);
  std::sort(places.begin(), places.end());
  return std::adjacent_find(places.begin(), places.end()) == places.end();
}

/// A rule is Optax's: in f64, eager and in jit; in f32 about so.
template <auto const& Rule> void is_optax(std::vector<double> const& should, double f32 = 1e-4) {
  CHECK(has_own_memory<Rule>());
  double const eager = difference(run_steps<Rule, double>(step_of<Rule, double>{}), should);
  constexpr auto step = jit([](net_of<double> p, optim::state_of<Rule, net_of<double>> s, net_of<double> g) {
    return step_of<Rule, double>{}(p, s, g);
  });
  double const compiled = difference(run_steps<Rule, double>(step), should);
  CHECK(eager < 1e-10);
  CHECK(compiled < 1e-10);
  CHECK(difference(run_steps<Rule, float>(step_of<Rule, float>{}), should) < f32);
}

}  // namespace test
