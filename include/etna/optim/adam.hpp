// SPDX-License-Identifier: BSD-3-Clause
// Adam: a step along the mean gradient, divided by the root of its mean square, both means exponential and corrected
// for their start at zero. Read next: clipping.hpp.
#pragma once
#include "masked.hpp"

namespace etna::optim {

/// What Adam and its kin keep: the number of steps taken, and the means of the gradient and of its square.
template <class P> struct scale_by_adam_state {
  array<int> count;
  P mu, nu;
};

/// b1, b2    how much of the means stays, of gradients and of squares
/// eps       added to the root
/// eps_root  added under the root
/// nesterov  a step ahead: NAdam
struct scale_by_adam_options {
  double b1 = 0.9, b2 = 0.999, eps = 1e-8, eps_root = 0;
  bool nesterov = false;
};

namespace detail {

/// What the mean is multiplied by behind n steps; with nesterov that of the next step, and the gradient of this one.
template <class R> struct corrected_mean {
  R mean, gradient;
  bool nesterov;
  constexpr corrected_mean(double b1, R const& n, bool nesterov)
      : mean(nesterov ? b1 : 1.), gradient(nesterov ? 1 - b1 : 0.), nesterov(nesterov) {
    auto now = share_of_steps(b1, n);
    gradient = gradient / now;
    if (nesterov) now = share_of_steps(b1, n + 1);
    mean = mean / now;
  }
};
/// Both means behind one more step.
template <class U, class P>
constexpr auto next_means(double b1, double b2, U const& updates, scale_by_adam_state<P> const& s) {
  return scale_by_adam_state<P>{s.count + 1, moving_mean(s.mu, updates, b1), moving_square(s.nu, updates, b2)};
}
template <class P> constexpr auto no_means(P const& parameters) {
  auto zero = filled(parameters);
  return scale_by_adam_state<decltype(zero)>{array<int>(0), zero, filled(parameters)};
}

/// The mean, corrected; a step ahead with nesterov.
template <class G, class M, class R> constexpr G mean_now(G const& g, M const& m, corrected_mean<R> const& c) {
  auto mean = beside(g, c.mean) * beside(g, m);
  if (c.nesterov) mean = mean + beside(g, c.gradient) * g;
  return mean;
}

}  // namespace detail

/// The mean gradient, divided by the root of the mean square.
///
/// source  Kingma and Ba, Adam, arXiv 1412.6980, algorithm 1; Optax scale_by_adam
constexpr auto scale_by_adam(scale_by_adam_options options = {}) {
  auto start = [](auto const& parameters) { return detail::no_means(parameters); };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const&) {
    using R = detail::real_of<std::remove_cvref_t<decltype(updates)>>;
    auto next = detail::next_means(o.b1, o.b2, updates, state);
    auto n = astype<R>(next.count);
    // The corrections are numbers: an element has one quotient and one root.
    detail::corrected_mean<array<R>> c(o.b1, n, o.nesterov);
    auto square = 1 / detail::share_of_steps(o.b2, n);
    auto one = [&](auto const& g, auto const& m, auto const& v) {
      auto squares = detail::beside(g, square) * detail::beside(g, v);
      if (o.eps_root != 0) squares = squares + o.eps_root;
      return detail::mean_now(g, m, c) / (sqrt(squares) + o.eps);
    };
    return std::pair{detail::each(one, updates, next.mu, next.nu), next};
  });
}

/// Adam: adam(1e-3), adam(schedule, {.b2 = 0.95}).
///
/// source  Kingma and Ba, Adam, arXiv 1412.6980; Optax adam
/// example test/unit/optim/adam.cpp  [adam and adamw are Optax's]
template <rate R> constexpr auto adam(R const& learning_rate, scale_by_adam_options options = {}) {
  return chain(scale_by_adam(options), scale_by_learning_rate(learning_rate));
}
/// Adam a step ahead, with Nesterov's momentum.
///
/// source  Dozat, Incorporating Nesterov Momentum into Adam, 2016; Optax nadam
template <rate R> constexpr auto nadam(R const& learning_rate, scale_by_adam_options options = {}) {
  options.nesterov = true;
  return adam(learning_rate, options);
}

struct adamw_options {
  double b1 = 0.9, b2 = 0.999, eps = 1e-8, eps_root = 0, weight_decay = 1e-4;
  bool nesterov = false;
  constexpr scale_by_adam_options adam() const { return {b1, b2, eps, eps_root, nesterov}; }
};
/// Adam whose parameters decay: adamw(1e-3, {.weight_decay = 0.05}). update takes the parameters.
///
/// errors  E144 update was given no parameters
/// source  Loshchilov and Hutter, Decoupled Weight Decay Regularization, arXiv 1711.05101; Optax adamw
template <rate R> constexpr auto adamw(R const& learning_rate, adamw_options options = {}) {
  return chain(scale_by_adam(options.adam()), add_decayed_weights(options.weight_decay),
               scale_by_learning_rate(learning_rate));
}
/// Of leaves whose path the mask accepts: adamw(1e-3, {}, [](auto path) { return path.ends_with("kernel"); }).
template <rate R, mask_of_paths Mask> constexpr auto adamw(R const& learning_rate, adamw_options options, Mask mask) {
  return chain(scale_by_adam(options.adam()), masked(add_decayed_weights(options.weight_decay), mask),
               scale_by_learning_rate(learning_rate));
}
/// The same by patterns: adamw<"*.kernel">(1e-3).
///
/// errors  E095 a pattern matches no path, E144 update was given no parameters
template <fixed_string... Pattern, rate R> requires(sizeof...(Pattern) > 0)
constexpr auto adamw(R const& learning_rate, adamw_options options = {}) {
  return adamw(learning_rate, options, tree::detail::by_pattern<Pattern...>{});
}
/// AdamW a step ahead.
///
/// source  Optax nadamw
template <rate R> constexpr auto nadamw(R const& learning_rate, adamw_options options = {}) {
  options.nesterov = true;
  return adamw(learning_rate, options);
}

}  // namespace etna::optim
