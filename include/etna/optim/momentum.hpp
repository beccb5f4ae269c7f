// SPDX-License-Identifier: BSD-3-Clause
// Gradient descent, alone and with a trace of gradients. Read next: adam.hpp.
#pragma once
#include "scale.hpp"

namespace etna::optim {

/// Sums of gradients that fade, for each leaf.
template <class P> struct trace_state {
  P trace;
};

/// The gradient plus decay times the trace before it: momentum. With nesterov a step ahead.
///
/// source  Optax trace; Sutskever et al., On the importance of initialization and momentum in deep learning, 2013
template <numpy::scalar_operand D> constexpr auto trace(D const& decay, bool nesterov = false) {
  auto start = [](auto const& parameters) {
    auto zero = detail::filled(parameters);
    return trace_state<decltype(zero)>{zero};
  };
  return detail::rule_of(start, [=](auto const& updates, auto const& state, auto const&) {
    using S = std::remove_cvref_t<decltype(state)>;
    auto more = [&](auto const& t, auto const& g) { return g + detail::beside(t, decay) * t; };
    S next{detail::each(more, state.trace, updates)};
    auto ahead = [&](auto const& g, auto const& t) {
      auto now = detail::beside(g, t);
      if (nesterov) now = g + detail::beside(g, decay) * now;
      return now;
    };
    return std::pair{detail::each(ahead, updates, next.trace), next};
  });
}

/// A mean that fades, and the number of steps.
template <class P> struct ema_state {
  array<int> count;
  P ema;
};
/// The mean of gradients, of which `decay` stays at each step; with debias corrected for its start at zero.
///
/// source  Optax ema
template <numpy::scalar_operand D> constexpr auto ema(D const& decay, bool debias = true) {
  auto start = [](auto const& parameters) {
    auto zero = detail::filled(parameters);
    return ema_state<decltype(zero)>{array<int>(0), zero};
  };
  return detail::rule_of(start, [=](auto const& updates, auto const& state, auto const&) {
    using U = std::remove_cvref_t<decltype(updates)>;
    auto next = std::remove_cvref_t<decltype(state)>{state.count + 1, detail::moving_mean(state.ema, updates, decay)};
    auto now = detail::share_of_steps(decay, astype<detail::real_of<U>>(next.count));
    auto corrected = [&](auto const& g, auto const& m) {
      auto mean = detail::beside(g, m);
      if (debias) mean = mean / detail::beside(g, now);
      return mean;
    };
    return std::pair{detail::each(corrected, updates, next.ema), next};
  });
}

struct sgd_options {
  double momentum = 0;
  bool nesterov = false;
};
/// Gradient descent: -learning_rate * gradient, and no state but a schedule's.
///
/// source  Robbins and Monro, A Stochastic Approximation Method, 1951; Optax sgd
/// example test/unit/optim/momentum.cpp  [sgd is Optax's]
template <rate R> constexpr auto sgd(R const& learning_rate) { return chain(scale_by_learning_rate(learning_rate)); }
/// With momentum: sgd(0.1, {.momentum = 0.9, .nesterov = true}).
template <rate R> constexpr auto sgd(R const& learning_rate, sgd_options options) {
  return chain(trace(options.momentum, options.nesterov), scale_by_learning_rate(learning_rate));
}

}  // namespace etna::optim
