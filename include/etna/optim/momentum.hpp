// SPDX-License-Identifier: BSD-3-Clause
// Gradient descent, alone and with a trace of gradients. Read next: adam.hpp.
#pragma once
#include "scale.hpp"

namespace etna::optim {

/// Sums of gradients that fade, for each leaf.
template <class P> struct trace_state {
  P trace;
};

namespace detail {
template <class D> struct traced {
  [[no_unique_address]] D decay;
  bool nesterov = false;

  template <class P> constexpr auto init(P const& parameters) const { return trace_state{filled(parameters)}; }
  template <class U, class S, class P = no_parameters>
  constexpr auto update(U const& updates, S const& state, P const& = {}) const {
    auto more = [&](auto const& t, auto const& g) { return g + beside(t, decay) * t; };
    auto trace = each(more, state.trace, updates);
    auto ahead = [&](auto const& g, auto const& t) {
      auto now = beside(g, t);
      if (nesterov) now = g + beside(g, decay) * now;
      return now;
    };
    return std::pair{each(ahead, updates, trace), S{trace}};
  }
};
}  // namespace detail

/// The gradient plus decay times the trace before it: momentum. With nesterov a step ahead.
///
/// source  Optax trace; Sutskever et al., On the importance of initialization and momentum in deep learning, 2013
template <numpy::scalar_operand D> constexpr auto trace(D const& decay, bool nesterov = false) {
  return detail::traced<D>{decay, nesterov};
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
