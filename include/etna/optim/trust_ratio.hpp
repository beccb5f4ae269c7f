// SPDX-License-Identifier: BSD-3-Clause
// Steps as large as their parameters: LAMB, LARS, Fromage. Read next: adafactor.hpp.
#pragma once
#include "adam.hpp"
#include "clipping.hpp"
#include "momentum.hpp"

namespace etna::optim {

namespace detail {
/// A leaf's norm, the least where it is less.
template <class A> constexpr auto norm_of(A const& x, double least) {
  auto norm = sqrt(sum(square(x)));
  return where(norm <= least, least, norm);
}
template <class A> constexpr auto root_mean_square(A const& x, double least) {
  auto rms = sqrt(mean(square(x)));
  return where(rms <= least, least, rms);
}
}  // namespace detail

struct scale_by_trust_ratio_options {
  double min_norm = 0, trust_coefficient = 1, eps = 0;
};
/// Each leaf's updates times the norm of its parameters over their own. Where one of the norms is 0, as they are.
///
/// errors  E144 update was given no parameters
/// source  You et al., Large Batch Optimization for Deep Learning, arXiv 1904.00962; Optax scale_by_trust_ratio
constexpr auto scale_by_trust_ratio(scale_by_trust_ratio_options options = {}) {
  return detail::beside_parameters([o = options](auto const& u, auto const& p) {
    auto of_p = detail::norm_of(detail::beside(u, p), o.min_norm), of_u = detail::norm_of(u, o.min_norm);
    auto none = logical_or(equal(of_p, 0), equal(of_u, 0));
    return u * where(none, 1, o.trust_coefficient * of_p / (where(none, 1, of_u) + o.eps));
  });
}

/// Each leaf's updates times the root of the mean square of its parameters, or min_scale where that is less.
///
/// errors  E144 update was given no parameters
/// source  Shazeer and Stern, Adafactor, arXiv 1804.04235; Optax scale_by_param_block_rms
constexpr auto scale_by_param_block_rms(double min_scale = 1e-3) {
  return detail::beside_parameters(
      [=](auto const& u, auto const& p) { return u * detail::root_mean_square(detail::beside(u, p), min_scale); });
}
/// The same by norms.
///
/// errors  E144 update was given no parameters
/// source  Optax scale_by_param_block_norm
constexpr auto scale_by_param_block_norm(double min_scale = 1e-3) {
  return detail::beside_parameters(
      [=](auto const& u, auto const& p) { return u * detail::norm_of(detail::beside(u, p), min_scale); });
}

/// All updates over their global norm, times scale_factor.
///
/// source  Optax normalize_by_update_norm
constexpr auto normalize_by_update_norm(double scale_factor = 1, double eps = 1e-6) {
  return detail::without_state([=](auto const& updates, auto const&) {
    auto norm = (global_norm(updates) + eps) / scale_factor;
    return detail::each([&](auto const& u) { return u / detail::beside(u, norm); }, updates);
  });
}

struct lamb_options {
  double b1 = 0.9, b2 = 0.999, eps = 1e-6, eps_root = 0, weight_decay = 0;
};
/// Adam in steps as large as the parameters. update takes them.
///
/// errors  E144 update was given no parameters
/// source  You et al., Large Batch Optimization for Deep Learning, arXiv 1904.00962; Optax lamb
template <rate R> constexpr auto lamb(R const& learning_rate, lamb_options o = {}) {
  return chain(scale_by_adam({o.b1, o.b2, o.eps, o.eps_root}), add_decayed_weights(o.weight_decay),
               scale_by_trust_ratio(), scale_by_learning_rate(learning_rate));
}

struct lars_options {
  double weight_decay = 0, trust_coefficient = 1e-3, eps = 0, momentum = 0.9;
  bool nesterov = false;
};
/// Gradient descent with momentum, in steps as large as the parameters. update takes them.
///
/// errors  E144 update was given no parameters
/// source  You, Gitman and Ginsburg, Large Batch Training of Convolutional Networks, arXiv 1708.03888; Optax lars
template <rate R> constexpr auto lars(R const& learning_rate, lars_options o = {}) {
  return chain(add_decayed_weights(o.weight_decay),
               scale_by_trust_ratio({.trust_coefficient = o.trust_coefficient, .eps = o.eps}),
               scale_by_learning_rate(learning_rate), trace(o.momentum, o.nesterov));
}

/// Steps as large as the parameters, which shrink so that their norm does not grow. update takes the parameters.
///
/// errors  E144 update was given no parameters
/// source  Bernstein et al., On the distance between two neural networks, arXiv 2002.03432; Optax fromage
constexpr auto fromage(double learning_rate, double min_norm = 1e-6) {
  double const root = detail::root_of(1 + learning_rate * learning_rate);
  return chain(scale_by_trust_ratio({.min_norm = min_norm}), scale_by_learning_rate(learning_rate / root),
               add_decayed_weights(1 / root - 1));
}

}  // namespace etna::optim
