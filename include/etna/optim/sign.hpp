// SPDX-License-Identifier: BSD-3-Clause
// Steps by the sign of the gradient, or by how it changes: Lion, sign_sgd, Rprop, optimistic descent. Read next:
// trust_ratio.hpp.
#pragma once
#include "masked.hpp"

namespace etna::optim {

/// Lion's: the number of steps, and the mean of the gradient.
template <class P> struct scale_by_lion_state {
  array<int> count;
  P mu;
};
/// Rprop's: a step of each element, and the updates before.
template <class P> struct scale_by_rprop_state {
  P step_sizes, prev_updates;
};
/// The gradient before.
template <class P> struct scale_by_optimistic_gradient_state {
  array<bool> is_initial_step;
  P previous_gradient;
};

/// The sign of a mean of gradient and mean.
///
/// source  Chen et al., Symbolic Discovery of Optimization Algorithms, arXiv 2302.06675; Optax scale_by_lion
constexpr auto scale_by_lion(double b1 = 0.9, double b2 = 0.99) {
  auto start = [](auto const& parameters) {
    auto zero = detail::filled(parameters);
    return scale_by_lion_state<decltype(zero)>{array<int>(0), zero};
  };
  return detail::rule_of(start, [=](auto const& updates, auto const& state, auto const&) {
    using S = std::remove_cvref_t<decltype(state)>;
    auto one = [&](auto const& g, auto const& m) { return sign((1 - b1) * g + b1 * detail::beside(g, m)); };
    return std::pair{detail::each(one, updates, state.mu),
                     S{state.count + 1, detail::moving_mean(state.mu, updates, b2)}};
  });
}
struct lion_options {
  double b1 = 0.9, b2 = 0.99, weight_decay = 1e-3;
};
/// Lion. update takes the parameters.
///
/// errors  E144 update was given no parameters
/// source  Optax lion
template <rate R> constexpr auto lion(R const& learning_rate, lion_options options = {}) {
  return chain(scale_by_lion(options.b1, options.b2), add_decayed_weights(options.weight_decay),
               scale_by_learning_rate(learning_rate));
}
/// Lion that decays leaves whose path the mask accepts.
template <rate R, mask_of_paths Mask> constexpr auto lion(R const& learning_rate, lion_options options, Mask mask) {
  return chain(scale_by_lion(options.b1, options.b2), masked(add_decayed_weights(options.weight_decay), mask),
               scale_by_learning_rate(learning_rate));
}

/// The sign of each element.
///
/// source  Optax scale_by_sign
constexpr auto scale_by_sign() {
  return detail::without_state(
      [](auto const& updates, auto const&) { return detail::each([](auto const& u) { return sign(u); }, updates); });
}
/// Descent by signs.
///
/// source  Bernstein et al., signSGD, arXiv 1802.04434; Optax sign_sgd
template <rate R> constexpr auto sign_sgd(R const& learning_rate) {
  return chain(scale_by_sign(), scale_by_learning_rate(learning_rate));
}

struct rprop_options {
  double eta_minus = 0.5, eta_plus = 1.2, min_step_size = 1e-6, max_step_size = 50;
};
/// A step of each element, which grows as long as the gradient keeps its sign, and shrinks where it turns.
///
/// source  Riedmiller and Braun, A Direct Adaptive Method for Faster Backpropagation Learning, 1993; Optax
/// scale_by_rprop
constexpr auto scale_by_rprop(double learning_rate, rprop_options options = {}) {
  auto start = [=](auto const& parameters) {
    auto zero = detail::filled(parameters);
    return scale_by_rprop_state<decltype(zero)>{detail::filled(parameters, learning_rate), zero};
  };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const&) {
    using S = std::remove_cvref_t<decltype(state)>;
    auto turn = [](auto const& before, auto const& g) { return detail::beside(before, g) * before; };
    auto turns = detail::each(turn, state.prev_updates, updates);
    auto grown = [&](auto const& step, auto const& t) {
      auto next =
          etna::clip(step * where(t > 0, o.eta_plus, full_like(step, o.eta_minus)), o.min_step_size, o.max_step_size);
      return where(equal(t, 0), step, next);
    };
    auto steps = detail::each(grown, state.step_sizes, turns);
    auto one = [](auto const& step, auto const& t, auto const& g) {
      return where(t < 0, 0, step * sign(detail::beside(step, g)));
    };
    auto now = detail::each(one, steps, turns, updates);
    auto unless_turned = [](auto const& g, auto const& t, auto const& u) {
      return where(t < 0, 0, detail::beside(g, u));
    };
    return std::pair{detail::each(unless_turned, updates, turns, state.prev_updates), S{steps, now}};
  });
}
/// Rprop.
///
/// source  Optax rprop
constexpr auto rprop(double learning_rate, rprop_options options = {}) {
  return chain(scale_by_rprop(learning_rate, options), scale(-1.0));
}

/// alpha times the gradient, plus beta times how it has changed.
///
/// source  Mokhtari et al., A Unified Analysis of Extra-gradient and Optimistic Gradient Methods, arXiv 1901.08511;
/// Optax scale_by_optimistic_gradient
constexpr auto scale_by_optimistic_gradient(double alpha = 1, double beta = 1) {
  auto start = [](auto const& parameters) {
    auto zero = detail::filled(parameters);
    return scale_by_optimistic_gradient_state<decltype(zero)>{array<bool>(true), zero};
  };
  return detail::rule_of(start, [=](auto const& updates, auto const& state, auto const&) {
    using S = std::remove_cvref_t<decltype(state)>;
    auto one = [&](auto const& g, auto const& before) {
      return (alpha + beta) * g - beta * where(state.is_initial_step, g, detail::beside(g, before));
    };
    auto keep = [](auto const& before, auto const& g) { return detail::beside(before, g); };
    return std::pair{detail::each(one, updates, state.previous_gradient),
                     S{array<bool>(false), detail::each(keep, state.previous_gradient, updates)}};
  });
}
/// Optimistic gradient descent.
///
/// source  Optax optimistic_gradient_descent
template <rate R>
constexpr auto optimistic_gradient_descent(R const& learning_rate, double alpha = 1, double beta = 1) {
  return chain(scale_by_optimistic_gradient(alpha, beta), scale_by_learning_rate(learning_rate));
}

}  // namespace etna::optim
