// SPDX-License-Identifier: BSD-3-Clause
// Layers that normalize features of one example: layer_norm, rms_norm, group_norm. Read next: batch_norm.hpp.
#pragma once
#include "layer.hpp"
#include "norm.hpp"

namespace etna::nn {

/// The last axis without mean and of variance 1, scaled and shifted.
///
/// shape   x [..., D] -> [..., D]
/// init    scale ones, bias zeros
/// errors  E066 x has another number of features
/// source  flax LayerNorm, whose epsilon is 1e-6
template <element T, extent D, real Epsilon = 1e-6> struct layer_norm {
  array<T, D> scale, bias;
  static constexpr auto initial = nn::initial(&layer_norm::scale, initializers::ones);

  template <any_array A> constexpr auto operator()(A const& x) const {
    if constexpr (!detail::require_features<A, D>()) return x;
    else return etna::layer_norm(x, scale, bias, Epsilon.value);
  }
};

/// The last axis over the root of its mean square, scaled.
///
/// shape   x [..., D] -> [..., D]
/// init    scale ones
/// errors  E066 x has another number of features
/// source  flax RMSNorm
template <element T, extent D, real Epsilon = 1e-6> struct rms_norm {
  array<T, D> scale;
  static constexpr auto initial = nn::initial(&rms_norm::scale, initializers::ones);

  template <any_array A> constexpr auto operator()(A const& x) const {
    if constexpr (!detail::require_features<A, D>()) return x;
    else return etna::rms_norm(x, scale, Epsilon.value);
  }
};

/// Groups of features, with all places of an example, without mean and of variance 1; scaled and shifted.
///
/// Rank    of one example: 3 of a picture [h, w, C]; axes in front of those are a batch
/// shape   x [..., C] -> [..., C], Groups divides C
/// init    scale ones, bias zeros
/// errors  E066 x has another number of features
/// source  flax GroupNorm; Wu and He, arXiv 1803.08494. Groups = C: InstanceNorm
template <element T, extent C, extent Groups, int Rank = 3, real Epsilon = 1e-6> requires(Groups > 0 && C % Groups == 0)
struct group_norm {
  array<T, C> scale, bias;
  static constexpr auto initial = nn::initial(&group_norm::scale, initializers::ones);

  template <any_array A> constexpr auto operator()(A const& x) const {
    if constexpr (!detail::require_features<A, C>()) return x;
    else {
      auto grouped = detail::with_last<1, Groups, C / Groups>(x);  // [batch..., places..., Groups, C / Groups]
      constexpr int first = A::rank > Rank ? A::rank - Rank : 0, places = A::rank - 1 - first;
      auto over = [&]<int... Nth>(auto const& y, std::integer_sequence<int, Nth...>) {
        return mean<(first + Nth)..., -1>(y, keepdims);
      };
      constexpr std::make_integer_sequence<int, places> all;
      auto centered = grouped - over(grouped, all);
      auto y = centered * rsqrt(over(square(centered), all) + Epsilon.value);
      return detail::with_last<2, C>(y) * scale + bias;
    }
  }
};

}  // namespace etna::nn
