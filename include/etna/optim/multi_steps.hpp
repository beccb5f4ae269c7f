// SPDX-License-Identifier: BSD-3-Clause
// Rules about rules: a step of several gradients, steps that are left out, hyperparameters in the state. Read next:
// noise.hpp.
#pragma once
#include <etna/control/branch.hpp>
#include <etna/nn/loss_scale.hpp>

#include "scale.hpp"

namespace etna::optim {

/// Gradients since the last step, steps, the inner rule's state, and the mean (or sum) of these gradients.
template <class Inner, class P> struct multi_steps_state {
  array<int> mini_step, gradient_step;
  Inner inner_opt_state;
  P acc_grads;
};
/// Steps left out one after another, whether the last was finite, steps left out at all, and the inner rule's state.
template <class Inner> struct apply_if_finite_state {
  array<int> notfinite_count;
  array<bool> last_finite;
  array<int> total_notfinite;
  Inner inner_state;
};
/// Steps, the hyperparameters of the last one, and the state of the rule that they make.
template <class H, class Inner> struct inject_hyperparams_state {
  array<int> count;
  H hyperparams;
  Inner inner_state;
};

namespace detail {
/// The inner rule's step where the condition is true; elsewhere no updates, and its state as it is.
template <class Rule, any_array C, class U, class S, class P>
constexpr auto step_if(Rule const& inner, C const& condition, U const& updates, S const& state, P const& parameters) {
  auto step = [&](auto const& u, auto const& s) {
    auto [now, next] = inner.update(u, s, parameters);
    return std::pair{now, next};
  };
  auto stay = [](auto const& u, auto const& s) { return std::pair{filled(u), s}; };
  return cond(condition, step, stay, updates, state);
}
}  // namespace detail

/// How many gradients there are for a step: a number, or a function of the steps taken.
template <class K> concept count_or_schedule = numpy::integer_operand<K> || schedule<K>;

/// One step of the inner rule for every k gradients, of their mean, or without use_grad_mean of their sum; between, no
/// updates. The gradient of k small batches is that of a large one.
///
/// source  Optax MultiSteps
template <transformation Rule, count_or_schedule K>
constexpr auto multi_steps(Rule const& inner, K const& k, bool use_grad_mean = true) {
  auto start = [=](auto const& parameters) {
    auto state = inner.init(parameters);
    auto zero = detail::filled(parameters);
    return multi_steps_state<decltype(state), decltype(zero)>{array<int>(0), array<int>(0), state, zero};
  };
  return detail::rule_of(start, [=](auto const& updates, auto const& state, auto const& parameters) {
    using S = std::remove_cvref_t<decltype(state)>;
    auto more = [&](auto const& sum, auto const& g) {
      auto now = detail::beside(sum, g);
      if (use_grad_mean) now = (now - sum) / detail::beside(sum, state.mini_step + 1);
      return sum + now;
    };
    auto sum = detail::each(more, state.acc_grads, updates);
    auto steps = [&] {
      if constexpr (schedule<K>) return astype<int>(transform::as_array(k(state.gradient_step)));
      else return array<int>(numpy::parameter<int>(k));
    }();
    auto now = equal(state.mini_step, steps - 1);
    auto as_gradients = detail::each([](auto const& g, auto const& s) { return detail::beside(g, s); }, updates, sum);
    auto [moved, next] = detail::step_if(inner, now, as_gradients, state.inner_opt_state, parameters);
    auto rest = detail::each([&](auto const& s) { return where(now, 0, s); }, sum);
    return std::pair{moved, S{(state.mini_step + 1) % steps, state.gradient_step + astype<int>(now), next, rest}};
  });
}

/// The inner rule where all updates are finite; a step where they are not is left out, unless
/// max_consecutive_errors were left out before it.
///
/// source  Optax apply_if_finite
template <transformation Rule> constexpr auto apply_if_finite(Rule const& inner, int max_consecutive_errors) {
  auto start = [=](auto const& parameters) {
    auto state = inner.init(parameters);
    return apply_if_finite_state<decltype(state)>{array<int>(0), array<bool>(true), array<int>(0), state};
  };
  return detail::rule_of(start, [=](auto const& updates, auto const& state, auto const& parameters) {
    using S = std::remove_cvref_t<decltype(state)>;
    auto finite = nn::all_finite(updates);
    auto count = where(finite, 0, state.notfinite_count + 1);
    auto go = logical_or(finite, count > max_consecutive_errors);
    auto [moved, next] = detail::step_if(inner, go, updates, state.inner_state, parameters);
    return std::pair{moved, S{count, finite, where(finite, state.total_notfinite, state.total_notfinite + 1), next}};
  });
}

/// The rule that a function makes of hyperparameters, which stand in the state, and may be read and changed there:
/// inject_hyperparams([](auto const& rate) { return optim::adam(rate); }, schedule). Those that are schedules follow
/// the number of steps.
///
/// source  Optax inject_hyperparams
template <class F, rate... H> constexpr auto inject_hyperparams(F const& factory, H const&... hyperparameter) {
  auto all = std::tuple<H...>{hyperparameter...};
  auto rule = [=](auto const& values) { return std::apply(factory, values); };
  auto start = [=]<class P>(P const& parameters) {
    using R = detail::real_of<P>;
    auto first = [](auto const& h) {
      using X = std::remove_cvref_t<decltype(h)>;
      if constexpr (schedule<X>) return detail::value_at<R>(h, array<int>(0));
      else if constexpr (any_array<X>) return astype<R>(h);
      else return array<R>(R(h));
    };
    auto values = std::apply([&](auto const&... h) { return detail::tuple_of(first(h)...); }, all);
    auto state = rule(values).init(parameters);
    return inject_hyperparams_state<decltype(values), decltype(state)>{array<int>(0), values, state};
  };
  return detail::rule_of(start, [=](auto const& updates, auto const& state, auto const& parameters) {
    using S = std::remove_cvref_t<decltype(state)>;
    auto now = [&](auto const& h, auto const& kept) {
      using R = typename std::remove_cvref_t<decltype(kept)>::value_type;
      if constexpr (schedule<std::remove_cvref_t<decltype(h)>>) return detail::value_at<R>(h, state.count);
      else return kept;
    };
    auto values = [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      return detail::tuple_of(now(std::get<Nth>(all), std::get<Nth>(state.hyperparams))...);
    }(std::make_index_sequence<sizeof...(H)>{});
    auto [moved, next] = rule(values).update(updates, state.inner_state, parameters);
    return std::pair{moved, S{state.count + 1, values, next}};
  });
}

}  // namespace etna::optim
