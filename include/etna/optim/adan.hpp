// SPDX-License-Identifier: BSD-3-Clause
// Adan, which follows changes of the gradient, and NovoGrad, which has one square of each leaf. Read next: sign.hpp.
#pragma once
#include "adam.hpp"

namespace etna::optim {

/// Adan's: means of gradients, of their changes, of squares; the gradient before; the number of steps.
template <class P> struct scale_by_adan_state {
  P m, v, n, g;
  array<int> t;
};
/// NovoGrad's: a square of each leaf.
template <class P, class N> struct scale_by_novograd_state {
  array<int> count;
  P mu;
  N nu;
};

struct scale_by_adan_options {
  double b1 = 0.98, b2 = 0.92, b3 = 0.99, eps = 1e-8, eps_root = 0;
};
/// Means of gradients and of their changes, over the root of the mean square of both.
///
/// source  Xie et al., Adan, arXiv 2208.06677; Optax scale_by_adan
constexpr auto scale_by_adan(scale_by_adan_options options = {}) {
  auto start = [](auto const& parameters) {
    auto zero = detail::filled(parameters);
    return scale_by_adan_state<decltype(zero)>{zero, detail::filled(parameters), detail::filled(parameters),
                                               detail::filled(parameters), array<int>(0)};
  };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const&) {
    using R = detail::real_of<std::remove_cvref_t<decltype(updates)>>;
    using S = std::remove_cvref_t<decltype(state)>;
    auto change = detail::each(
        [&](auto const& before, auto const& g) { return where(equal(state.t, 0), 0, g - before); }, state.g, updates);
    auto both = detail::each([&](auto const& g, auto const& d) { return g + (1 - o.b2) * d; }, updates, change);
    auto now =
        detail::each([](auto const& before, auto const& g) { return detail::beside(before, g); }, state.g, updates);
    S next{detail::moving_mean(state.m, updates, o.b1), detail::moving_mean(state.v, change, o.b2),
           detail::moving_square(state.n, both, o.b3), now, state.t + 1};
    auto n = astype<R>(next.t);
    auto mean = 1 / detail::share_of_steps(o.b1, n), changes = (1 - o.b2) / detail::share_of_steps(o.b2, n),
         squares = 1 / detail::share_of_steps(o.b3, n);
    auto one = [&](auto const& g, auto const& m, auto const& v, auto const& s) {
      auto way = detail::beside(g, mean) * detail::beside(g, m) + detail::beside(g, changes) * detail::beside(g, v);
      return way / (sqrt(detail::beside(g, squares) * detail::beside(g, s) + o.eps_root) + o.eps);
    };
    return std::pair{detail::each(one, updates, next.m, next.v, next.n), next};
  });
}
struct adan_options {
  double b1 = 0.98, b2 = 0.92, b3 = 0.99, eps = 1e-8, eps_root = 1e-8, weight_decay = 0;
};
/// Adan. update takes the parameters.
///
/// errors  E144 update was given no parameters
/// source  Xie et al., Adan, arXiv 2208.06677; Optax adan
template <rate R> constexpr auto adan(R const& learning_rate, adan_options options = {}) {
  return chain(scale_by_adan({options.b1, options.b2, options.b3, options.eps, options.eps_root}),
               add_decayed_weights(options.weight_decay), scale_by_learning_rate(learning_rate));
}

struct novograd_options {
  double b1 = 0.9, b2 = 0.25, eps = 1e-6, eps_root = 0, weight_decay = 0;
};
/// The gradient over the root of its leaf's mean square, plus decaying parameters, summed up. update takes the
/// parameters.
///
/// errors  E144 update was given no parameters
/// source  Ginsburg et al., Stochastic Gradient Methods with Layer-wise Adaptive Moments, arXiv 1905.11286; Optax
/// scale_by_novograd
constexpr auto scale_by_novograd(novograd_options options = {}) {
  auto start = [](auto const& parameters) {
    auto zero = detail::filled(parameters);
    auto one_each = tree::map([](auto const& x) { return sum(x); }, zero);
    return scale_by_novograd_state<decltype(zero), decltype(one_each)>{array<int>(0), zero, one_each};
  };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const& parameters) {
    using S = std::remove_cvref_t<decltype(state)>;
    constexpr bool given = detail::require_parameters<std::remove_cvref_t<decltype(parameters)>>();
    if constexpr (!given) return std::pair{updates, state};
    else {
      auto first = equal(state.count, 0);
      auto squares = [&](auto const& v, auto const& g) {
        auto now = sum(square(detail::beside(v, g)));
        return where(first, now, o.b2 * v + (1 - o.b2) * now);
      };
      auto nu = detail::each(squares, state.nu, updates);
      auto more = [&](auto const& m, auto const& g, auto const& v, auto const& p) {
        auto now = detail::beside(m, g) / (sqrt(detail::beside(m, v) + o.eps_root) + o.eps) + o.weight_decay * p;
        return where(first, now, o.b1 * m + now);
      };
      S next{state.count + 1, detail::each(more, state.mu, updates, nu, parameters), nu};
      auto same = [](auto const& g, auto const& m) { return detail::beside(g, m); };
      return std::pair{detail::each(same, updates, next.mu), next};
    }
  });
}
/// NovoGrad. update takes the parameters.
///
/// errors  E144 update was given no parameters
/// source  Optax novograd
template <rate R> constexpr auto novograd(R const& learning_rate, novograd_options options = {}) {
  return chain(scale_by_novograd(options), scale_by_learning_rate(learning_rate));
}

}  // namespace etna::optim
