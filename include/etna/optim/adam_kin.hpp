// SPDX-License-Identifier: BSD-3-Clause
// Adam with another measure of the gradient's size: AdaMax, AMSGrad, AdaBelief, Yogi, RAdam. Read next: adan.hpp.
#pragma once
#include "adam.hpp"

namespace etna::optim {

/// AMSGrad's: the largest mean square too.
template <class P> struct scale_by_amsgrad_state {
  array<int> count;
  P mu, nu, nu_max;
};
struct scale_by_adamax_options {
  double b1 = 0.9, b2 = 0.999, eps = 1e-8;
};
/// The mean gradient over the largest gradient, which fades.
///
/// source  Kingma and Ba, Adam, arXiv 1412.6980, algorithm 2; Optax scale_by_adamax
constexpr auto scale_by_adamax(scale_by_adamax_options options = {}) {
  auto start = [](auto const& parameters) { return detail::no_means(parameters); };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const&) {
    using R = detail::real_of<std::remove_cvref_t<decltype(updates)>>;
    using S = std::remove_cvref_t<decltype(state)>;
    auto largest = [&](auto const& v, auto const& g) { return maximum(abs(g) + o.eps, o.b2 * v); };
    S next{state.count + 1, detail::moving_mean(state.mu, updates, o.b1), detail::each(largest, state.nu, updates)};
    auto c = 1 / detail::share_of_steps(o.b1, astype<R>(next.count));
    auto one = [&](auto const& g, auto const& m, auto const& v) {
      return detail::beside(g, c) * detail::beside(g, m) / detail::beside(g, v);
    };
    return std::pair{detail::each(one, updates, next.mu, next.nu), next};
  });
}
/// AdaMax.
///
/// source  Kingma and Ba, Adam, arXiv 1412.6980; Optax adamax
template <rate R> constexpr auto adamax(R const& learning_rate, scale_by_adamax_options options = {}) {
  return chain(scale_by_adamax(options), scale_by_learning_rate(learning_rate));
}
/// AdaMax whose parameters decay. update takes the parameters.
///
/// errors  E144 update was given no parameters
/// source  Optax adamaxw
template <rate R>
constexpr auto adamaxw(R const& learning_rate, scale_by_adamax_options options = {}, double weight_decay = 1e-4) {
  return chain(scale_by_adamax(options), add_decayed_weights(weight_decay), scale_by_learning_rate(learning_rate));
}

/// Adam by the largest mean square so far.
///
/// source  Reddi, Kale and Kumar, On the Convergence of Adam and Beyond, arXiv 1904.09237; Optax scale_by_amsgrad
constexpr auto scale_by_amsgrad(scale_by_adam_options options = {}) {
  auto start = [](auto const& parameters) {
    auto zero = detail::filled(parameters);
    return scale_by_amsgrad_state<decltype(zero)>{array<int>(0), zero, detail::filled(parameters),
                                                  detail::filled(parameters)};
  };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const&) {
    using R = detail::real_of<std::remove_cvref_t<decltype(updates)>>;
    using S = std::remove_cvref_t<decltype(state)>;
    auto count = state.count + 1;
    auto n = astype<R>(count);
    auto nu = detail::moving_square(state.nu, updates, o.b2);
    auto mean = 1 / detail::share_of_steps(o.b1, n), square = 1 / detail::share_of_steps(o.b2, n);
    auto larger = [&](auto const& most, auto const& v) { return maximum(most, detail::beside(most, square) * v); };
    S next{count, detail::moving_mean(state.mu, updates, o.b1), nu, detail::each(larger, state.nu_max, nu)};
    auto one = [&](auto const& g, auto const& m, auto const& v) {
      return detail::beside(g, mean) * detail::beside(g, m) / (sqrt(detail::beside(g, v) + o.eps_root) + o.eps);
    };
    return std::pair{detail::each(one, updates, next.mu, next.nu_max), next};
  });
}
/// AMSGrad.
///
/// source  Optax amsgrad
template <rate R> constexpr auto amsgrad(R const& learning_rate, scale_by_adam_options options = {}) {
  return chain(scale_by_amsgrad(options), scale_by_learning_rate(learning_rate));
}

struct scale_by_belief_options {
  double b1 = 0.9, b2 = 0.999, eps = 1e-16, eps_root = 1e-16;
  bool nesterov = false;
};
/// Adam by the squares of what differs from the mean.
///
/// source  Zhuang et al., AdaBelief Optimizer, arXiv 2010.07468; Optax scale_by_belief
constexpr auto scale_by_belief(scale_by_belief_options options = {}) {
  auto start = [](auto const& parameters) { return detail::no_means(parameters); };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const&) {
    using R = detail::real_of<std::remove_cvref_t<decltype(updates)>>;
    using S = std::remove_cvref_t<decltype(state)>;
    auto mu = detail::moving_mean(state.mu, updates, o.b1);
    auto wonder = [&](auto const& v, auto const& g, auto const& m) {
      return o.b2 * v + (1 - o.b2) * square(g - m) + o.eps_root;
    };
    S next{state.count + 1, mu, detail::each(wonder, state.nu, updates, mu)};
    auto n = astype<R>(next.count);
    detail::corrected_mean<array<R>> c(o.b1, n, o.nesterov);
    auto squares = 1 / detail::share_of_steps(o.b2, n);
    auto one = [&](auto const& g, auto const& m, auto const& v) {
      return detail::mean_now(g, m, c) / (sqrt(detail::beside(g, squares) * detail::beside(g, v)) + o.eps);
    };
    return std::pair{detail::each(one, updates, next.mu, next.nu), next};
  });
}
/// AdaBelief.
///
/// source  Optax adabelief
template <rate R> constexpr auto adabelief(R const& learning_rate, scale_by_belief_options options = {}) {
  return chain(scale_by_belief(options), scale_by_learning_rate(learning_rate));
}

struct scale_by_yogi_options {
  double b1 = 0.9, b2 = 0.999, eps = 1e-3, eps_root = 0, initial_accumulator_value = 1e-6;
};
/// Adam whose mean square moves by steps as large as the squares.
///
/// source  Zaheer et al., Adaptive Methods for Nonconvex Optimization, 2018; Optax scale_by_yogi
constexpr auto scale_by_yogi(scale_by_yogi_options options = {}) {
  auto start = [o = options](auto const& parameters) {
    auto first = detail::filled(parameters, o.initial_accumulator_value);
    return scale_by_adam_state<decltype(first)>{array<int>(0), first,
                                                detail::filled(parameters, o.initial_accumulator_value)};
  };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const&) {
    using R = detail::real_of<std::remove_cvref_t<decltype(updates)>>;
    using S = std::remove_cvref_t<decltype(state)>;
    auto moved = [&](auto const& v, auto const& g) { return v - (1 - o.b2) * sign(v - g * g) * (g * g); };
    S next{state.count + 1, detail::moving_mean(state.mu, updates, o.b1), detail::each(moved, state.nu, updates)};
    auto n = astype<R>(next.count);
    auto mean = 1 / detail::share_of_steps(o.b1, n), squares = 1 / detail::share_of_steps(o.b2, n);
    auto one = [&](auto const& g, auto const& m, auto const& v) {
      return detail::beside(g, mean) * detail::beside(g, m) /
             (sqrt(detail::beside(g, squares) * detail::beside(g, v) + o.eps_root) + o.eps);
    };
    return std::pair{detail::each(one, updates, next.mu, next.nu), next};
  });
}
/// Yogi.
///
/// source  Optax yogi
template <rate R> constexpr auto yogi(R const& learning_rate, scale_by_yogi_options options = {}) {
  return chain(scale_by_yogi(options), scale_by_learning_rate(learning_rate));
}

struct scale_by_radam_options {
  double b1 = 0.9, b2 = 0.999, eps = 1e-8, eps_root = 0, threshold = 5;
  bool nesterov = false;
};
/// Adam that takes the mean alone as long as its mean square is of too few steps.
///
/// source  Liu et al., On the Variance of the Adaptive Learning Rate and Beyond, arXiv 1908.03265; Optax scale_by_radam
constexpr auto scale_by_radam(scale_by_radam_options options = {}) {
  auto start = [](auto const& parameters) { return detail::no_means(parameters); };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const&) {
    using R = detail::real_of<std::remove_cvref_t<decltype(updates)>>;
    auto next = detail::next_means(o.b1, o.b2, updates, state);
    auto n = astype<R>(next.count);
    detail::corrected_mean<array<R>> c(o.b1, n, o.nesterov);
    auto share = detail::share_of_steps(o.b2, n);
    double const last = 2 / (1 - o.b2) - 1;
    auto length = last - 2 * n * (1 - share) / share;
    auto known = length >= o.threshold;
    auto variance = (length - 4) * (length - 2) * last / ((last - 4) * (last - 2) * length);
    auto r = sqrt(where(known, variance, 1));  // which is negative where it is not taken
    auto one = [&](auto const& g, auto const& m, auto const& v) {
      auto mean = detail::mean_now(g, m, c);
      auto squares = detail::beside(g, 1 / share) * detail::beside(g, v);
      return where(known, detail::beside(g, r) * mean / (sqrt(squares + o.eps_root) + o.eps), mean);
    };
    return std::pair{detail::each(one, updates, next.mu, next.nu), next};
  });
}
/// Rectified Adam.
///
/// source  Optax radam
template <rate R> constexpr auto radam(R const& learning_rate, scale_by_radam_options options = {}) {
  return chain(scale_by_radam(options), scale_by_learning_rate(learning_rate));
}

}  // namespace etna::optim
