// SPDX-License-Identifier: BSD-3-Clause
// Rates of each element by its squares so far: RMSProp, Adagrad, Adadelta. Read next: adam_kin.hpp.
#pragma once
#include "scale.hpp"

namespace etna::optim {

/// The number of steps, and the mean square of each element.
template <class P> struct scale_by_rms_state {
  array<int> count;
  P nu;
};
/// The mean too.
template <class P> struct scale_by_stddev_state {
  array<int> count;
  P mu, nu;
};
/// The sum of squares of each element.
template <class P> struct scale_by_rss_state {
  P sum_of_squares;
};
/// Mean squares of gradients and of updates.
template <class P> struct scale_by_adadelta_state {
  P e_g, e_x;
};

/// initial_scale    the mean square before the first step
/// eps_in_sqrt      eps is added under the root, or to it
/// bias_correction  the mean is corrected for its start
struct scale_by_rms_options {
  double decay = 0.9, eps = 1e-8, initial_scale = 0;
  bool eps_in_sqrt = true, bias_correction = false;
};

namespace detail {
/// What a mean is multiplied by behind n steps: 1 where it is not corrected.
template <class R> constexpr R correction(scale_by_rms_options const& o, R const& n) {
  if (!o.bias_correction) return full_like(n, 1);
  return 1 / share_of_steps(o.decay, n);
}
/// g over the root of v.
template <class G> constexpr auto over_root(scale_by_rms_options const& o, G const& g, G const& v) {
  if (o.eps_in_sqrt) return g * rsqrt(v + o.eps);
  return g * (1 / (sqrt(v) + o.eps));
}
}  // namespace detail

/// The gradient over the root of its mean square.
///
/// source  Tieleman and Hinton, Lecture 6.5, 2012; Optax scale_by_rms
constexpr auto scale_by_rms(scale_by_rms_options options = {}) {
  auto start = [o = options](auto const& parameters) {
    auto nu = detail::filled(parameters, o.initial_scale);
    return scale_by_rms_state<decltype(nu)>{array<int>(0), nu};
  };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const&) {
    using R = detail::real_of<std::remove_cvref_t<decltype(updates)>>;
    using S = std::remove_cvref_t<decltype(state)>;
    S next{state.count + 1, detail::moving_square(state.nu, updates, o.decay)};
    auto c = detail::correction(o, astype<R>(next.count));
    auto one = [&](auto const& g, auto const& v) {
      return detail::over_root(o, g, detail::beside(g, c) * detail::beside(g, v));
    };
    return std::pair{detail::each(one, updates, next.nu), next};
  });
}

/// The gradient over the root of its mean square about its mean.
///
/// source  Graves, Generating Sequences With Recurrent Neural Networks, arXiv 1308.0850; Optax scale_by_stddev
constexpr auto scale_by_stddev(scale_by_rms_options options = {}) {
  auto start = [o = options](auto const& parameters) {
    auto zero = detail::filled(parameters);
    return scale_by_stddev_state<decltype(zero)>{array<int>(0), zero, detail::filled(parameters, o.initial_scale)};
  };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const&) {
    using R = detail::real_of<std::remove_cvref_t<decltype(updates)>>;
    using S = std::remove_cvref_t<decltype(state)>;
    S next{state.count + 1, detail::moving_mean(state.mu, updates, o.decay),
           detail::moving_square(state.nu, updates, o.decay)};
    auto c = detail::correction(o, astype<R>(next.count));
    auto one = [&](auto const& g, auto const& m, auto const& v) {
      auto mean = detail::beside(g, c) * detail::beside(g, m);
      return detail::over_root(o, g, detail::beside(g, c) * detail::beside(g, v) - mean * mean);
    };
    return std::pair{detail::each(one, updates, next.mu, next.nu), next};
  });
}

/// rmsprop(rate, options, optim::centered): about the mean.
inline constexpr struct centered_t {
} centered{};

/// RMSProp: rmsprop(1e-3, {.decay = 0.95}). With momentum it is chain(rmsprop(rate), trace(0.9)).
///
/// source  Tieleman and Hinton, Lecture 6.5, 2012; Optax rmsprop
template <rate R> constexpr auto rmsprop(R const& learning_rate, scale_by_rms_options options = {}) {
  return chain(scale_by_rms(options), scale_by_learning_rate(learning_rate));
}
template <rate R> constexpr auto rmsprop(R const& learning_rate, scale_by_rms_options options, centered_t) {
  return chain(scale_by_stddev(options), scale_by_learning_rate(learning_rate));
}

/// The gradient over the root of the sum of its squares.
///
/// source  Optax scale_by_rss
constexpr auto scale_by_rss(double initial_accumulator_value = 0.1, double eps = 1e-7) {
  auto start = [=](auto const& parameters) {
    auto first = detail::filled(parameters, initial_accumulator_value);
    return scale_by_rss_state<decltype(first)>{first};
  };
  return detail::rule_of(start, [=](auto const& updates, auto const& state, auto const&) {
    auto sum = detail::each([](auto const& s, auto const& g) { return g * g + s; }, state.sum_of_squares, updates);
    auto one = [&](auto const& g, auto const& s) {
      auto of = detail::beside(g, s);
      return where(of > 0, rsqrt(of + eps), 0) * g;
    };
    return std::pair{detail::each(one, updates, sum), std::remove_cvref_t<decltype(state)>{sum}};
  });
}
/// Adagrad.
///
/// source  Duchi, Hazan and Singer, Adaptive Subgradient Methods, 2011; Optax adagrad
template <rate R>
constexpr auto adagrad(R const& learning_rate, double initial_accumulator_value = 0.1, double eps = 1e-7) {
  return chain(scale_by_rss(initial_accumulator_value, eps), scale_by_learning_rate(learning_rate));
}

/// The gradient times the root of the mean square of updates, over that of gradients.
///
/// source  Zeiler, ADADELTA, arXiv 1212.5701; Optax scale_by_adadelta
constexpr auto scale_by_adadelta(double rho = 0.9, double eps = 1e-6) {
  auto start = [](auto const& parameters) {
    auto zero = detail::filled(parameters);
    return scale_by_adadelta_state<decltype(zero)>{zero, detail::filled(parameters)};
  };
  return detail::rule_of(start, [=](auto const& updates, auto const& state, auto const&) {
    using S = std::remove_cvref_t<decltype(state)>;
    auto e_g = detail::moving_square(state.e_g, updates, rho);
    auto one = [&](auto const& g, auto const& gradients, auto const& steps) {
      return sqrt(detail::beside(g, steps) + eps) / sqrt(detail::beside(g, gradients) + eps) * g;
    };
    auto now = detail::each(one, updates, e_g, state.e_x);
    return std::pair{now, S{e_g, detail::moving_square(state.e_x, now, rho)}};
  });
}
struct adadelta_options {
  double rho = 0.9, eps = 1e-6, weight_decay = 0;
};
/// Adadelta. update takes the parameters.
///
/// errors  E144 update was given no parameters
/// source  Zeiler, ADADELTA, arXiv 1212.5701; Optax adadelta
template <rate R> constexpr auto adadelta(R const& learning_rate, adadelta_options options = {}) {
  return chain(add_decayed_weights(options.weight_decay), scale_by_adadelta(options.rho, options.eps),
               scale_by_learning_rate(learning_rate));
}

}  // namespace etna::optim
