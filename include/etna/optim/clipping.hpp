// SPDX-License-Identifier: BSD-3-Clause
// Updates that are kept small: element by element, by their norm, beside their parameters. Read next: adaptive.hpp.
#pragma once
#include "update.hpp"

namespace etna::optim {

namespace detail {

/// f(leaf) of each leaf.
template <class F> constexpr auto leaf_by_leaf(F f) {
  return without_state([f](auto const& updates, auto const&) { return each(f, updates); });
}
/// f(leaf, parameter) of each.
template <class F> constexpr auto beside_parameters(F f) {
  return without_state([f](auto const& updates, auto const& parameters) {
    constexpr bool given = require_parameters<std::remove_cvref_t<decltype(parameters)>>();
    if constexpr (!given) return updates;
    else return each(f, updates, parameters);
  });
}

/// Norms of what belongs to one unit of the output, spread over x: all axes but the last; of one axis, that one. (Of
/// three axes the first alone, as in Optax.)
template <class A> constexpr auto unitwise_norm(A const& x) {
  static_assert(message::holds<(A::rank < 6), message::E148_unit_of_more_axes<A>>);
  auto squares = square(x);
  auto sums = [&] {
    if constexpr (A::rank < 2) return sum(squares);
    else if constexpr (A::rank < 4) return sum<0>(squares, keepdims);
    else if constexpr (A::rank < 5) return sum<0, 1, 2>(squares, keepdims);
    else return sum<0, 1, 2, 3>(squares, keepdims);
  }();
  return sqrt(sums);
}

}  // namespace detail

/// Elements between -max_delta and max_delta.
///
/// source  Optax clip
template <numpy::scalar_operand D> constexpr auto clip(D const& max_delta) {
  return detail::leaf_by_leaf([=](auto const& u) {
    auto most = detail::beside(u, max_delta);
    return etna::clip(u, -most, most);
  });
}

/// Each leaf divided so that the root of its mean square is threshold at the most.
///
/// source  Shazeer and Stern, Adafactor, arXiv 1804.04235; Optax clip_by_block_rms
template <numpy::scalar_operand D> constexpr auto clip_by_block_rms(D const& threshold) {
  return detail::leaf_by_leaf(
      [=](auto const& u) { return u / maximum(1, sqrt(mean(square(u))) / detail::beside(u, threshold)); });
}

/// All updates divided so that their global norm is max_norm at the most.
///
/// source  Pascanu et al., On the difficulty of training recurrent neural networks, arXiv 1211.5063; Optax
/// clip_by_global_norm
template <numpy::scalar_operand D> constexpr auto clip_by_global_norm(D const& max_norm) {
  return detail::without_state([=](auto const& updates, auto const&) {
    auto norm = global_norm(updates);
    auto most = detail::beside(norm, max_norm);
    auto factor = where(norm < most, 1, most / norm);
    return detail::each([&](auto const& u) { return detail::beside(u, factor) * u; }, updates);
  });
}

/// Each unit's updates divided so that their norm is, at the most, `clipping` times that of its parameters, which is
/// taken for eps where it is less.
///
/// errors  E144 update was given no parameters, E148 a leaf of more than 5 axes
/// source  Brock et al., High-Performance Large-Scale Image Recognition Without Normalization, arXiv 2102.06171; Optax
/// adaptive_grad_clip
constexpr auto adaptive_grad_clip(double clipping, double eps = 1e-3) {
  return detail::beside_parameters([=](auto const& u, auto const& p) {
    auto norm = detail::unitwise_norm(u);
    auto most = clipping * maximum(detail::unitwise_norm(p), eps);
    return where(norm < most, u, u * (most / maximum(norm, 1e-6)));
  });
}

/// Each leaf of two axes and more minus its mean along all but the first.
///
/// source  Yong et al., Gradient Centralization, arXiv 2004.01461; Optax centralize
constexpr auto centralize() {
  return detail::leaf_by_leaf([](auto const& u) {
    using A = std::remove_cvref_t<decltype(u)>;
    if constexpr (A::rank < 2) return u;
    else
      return [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
        return u - mean<(Nth + 1)...>(u, keepdims);
      }(std::make_integer_sequence<int, A::rank - 1>{});
  });
}

}  // namespace etna::optim
