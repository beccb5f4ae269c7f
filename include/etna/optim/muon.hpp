// SPDX-License-Identifier: BSD-3-Clause
// Muon: the mean gradient of a matrix, brought near the orthogonal matrix beside it. Read next: line_search.hpp.
#pragma once
#include <etna/numpy/linalg.hpp>

#include "adam.hpp"

namespace etna::optim {

/// The number of steps, and the mean of the gradient.
template <class P> struct scale_by_muon_state {
  array<int> count;
  P mu;
};

/// adaptive  each matrix times its product with the mean
struct scale_by_muon_options {
  int ns_steps = 5;
  double beta = 0.95, eps = 1e-8;
  bool nesterov = true, adaptive = false;
  double ns_coeffs[3] = {3.4445, -4.7750, 2.0315};
};

/// A matrix whose singular values are near 1, by Newton and Schulz's iteration: x becomes a x + (b s + c s^2) x with
/// s = x x^T. The shorter axis is that of s.
///
/// shape   [n, m] -> the same
/// source  Jordan et al., Muon, 2024; Optax orthogonalize_via_newton_schulz
template <any_array A> requires(A::rank == 2)
constexpr A orthogonalize_via_newton_schulz(A const& x, scale_by_muon_options options = {}) {
  if constexpr (A::type.e[0] > A::type.e[1]) return transpose(orthogonalize_via_newton_schulz(transpose(x), options));
  else {
    auto const [a, b, c] = options.ns_coeffs;
    A y = x / (sqrt(sum(square(x))) + options.eps);
    for (int i = 0; i < options.ns_steps; ++i) {
      auto s = dot(y, transpose(y));
      y = a * y + dot(b * s + c * dot(s, s), y);
    }
    return y;
  }
}

/// The mean gradient of each leaf, which is a matrix, orthogonalized.
///
/// source  Jordan et al., Muon, 2024; Optax contrib.scale_by_muon
constexpr auto scale_by_muon(scale_by_muon_options options = {}) {
  auto start = [](auto const& parameters) {
    auto zero = detail::filled(parameters);
    return scale_by_muon_state<decltype(zero)>{array<int>(0), zero};
  };
  return detail::rule_of(start, [o = options](auto const& updates, auto const& state, auto const&) {
    using R = detail::real_of<std::remove_cvref_t<decltype(updates)>>;
    using S = std::remove_cvref_t<decltype(state)>;
    S next{state.count + 1, detail::moving_mean(state.mu, updates, o.beta)};
    detail::corrected_mean<array<R>> c(o.beta, astype<R>(next.count), o.nesterov);
    auto one = [&](auto const& g, auto const& m) {
      auto mean = detail::mean_now(g, m, c);
      auto u = orthogonalize_via_newton_schulz(mean, o);
      if (o.adaptive) u = sum(mean * u) * u;
      return u;
    };
    return std::pair{detail::each(one, updates, next.mu), next};
  });
}

struct muon_options {
  scale_by_muon_options muon{};
  double weight_decay = 0, adam_b1 = 0.9, adam_b2 = 0.999, adam_eps_root = 0, adam_weight_decay = 0;
};
namespace detail {
/// A matrix is number 0, anything else 1.
struct is_no_matrix {
  template <class P> constexpr int operator()(P) const {
    if constexpr (any_array<typename P::leaf>) return P::leaf::rank != 2;
    else return 1;
  }
};
}  // namespace detail
/// Muon of matrices [inputs, outputs], AdamW of all other leaves. update takes the parameters.
///
/// errors  E042 a matrix of named sizes, E144 update was given no parameters
/// source  Jordan et al., Muon, 2024; Optax contrib.muon
template <rate R, rate A> constexpr auto muon(R const& learning_rate, muon_options o, A const& adam_learning_rate) {
  auto by_shape = detail::without_state([](auto const& updates, auto const&) {
    return detail::each(
        [](auto const& u) {
          using M = std::remove_cvref_t<decltype(u)>;
          if constexpr (!M::is_static)
            message::fail<message::E042_part_of_a_named_axis<typename numpy::text_of<M>::type>>();
          constexpr double in = double(M::type.e[0]), out = double(M::type.e[1]);
          if constexpr (out <= in) return u;
          else return detail::root_of(out / in) * u;
        },
        updates);
  });
  auto of_matrices = chain(scale_by_muon(o.muon), by_shape, add_decayed_weights(o.weight_decay),
                           scale_by_learning_rate(learning_rate));
  auto of_others = adamw(adam_learning_rate,
                         {o.adam_b1, o.adam_b2, o.muon.eps, o.adam_eps_root, o.adam_weight_decay, o.muon.nesterov});
  return multi_transform(detail::is_no_matrix{}, of_matrices, of_others);
}
template <rate R> constexpr auto muon(R const& learning_rate, muon_options options = {}) {
  return muon(learning_rate, options, learning_rate);
}

}  // namespace etna::optim
