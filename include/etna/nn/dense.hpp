// SPDX-License-Identifier: BSD-3-Clause
// Layers that are products: dense, dense_general, embed. Read next: norm_layers.hpp.
#pragma once
#include <etna/numpy/take.hpp>

#include "layer.hpp"

namespace etna::nn {

namespace detail {
/// x [..., In...] times kernel [In..., Out...].
template <class In, class Out, class A, class K> constexpr auto general_product(A const& x, K const& kernel) {
  return [&]<extent... O>(shape<O...>) {
    auto y = dot(with_last<In::rank, In::size>(x), reshape<In::size, Out::size>(kernel));
    return with_last<1, O...>(y);
  }(Out{});
}
}  // namespace detail

/// x kernel + bias, along the last axis: a layer of In features to Out. Without bias: dense<T, In, Out, nn::no_bias>.
///
/// shape   x [..., In] -> [..., Out]
/// init    kernel lecun_normal, bias zeros
/// errors  E066 x has another number of features
/// source  flax Dense
template <element T, extent In, extent Out, bias_option Bias = with_bias> struct dense {
  array<T, In, Out> kernel;
  array<T, Out> bias;
  static constexpr auto initial = nn::initial(&dense::kernel, initializers::lecun_normal());

  template <any_array A> constexpr auto operator()(A const& x) const {
    if constexpr (!detail::require_features<A, In>()) return detail::refused<1, Out>(x);
    else return dot(x, kernel) + bias;
  }
};
template <element T, extent In, extent Out> struct dense<T, In, Out, no_bias> {
  array<T, In, Out> kernel;
  static constexpr auto initial = nn::initial(&dense::kernel, initializers::lecun_normal());

  template <any_array A> constexpr auto operator()(A const& x) const {
    if constexpr (!detail::require_features<A, In>()) return detail::refused<1, Out>(x);
    else return dot(x, kernel);
  }
};

/// dense of several axes to several: dense_general<float, nn::shape<64>, nn::shape<4, 16>> gives each of 4 heads 16
/// features, dense_general<float, nn::shape<4, 16>, nn::shape<64>> joins them again.
///
/// shape   x [..., In...] -> [..., Out...]
/// init    kernel lecun_normal of the matrix that it is, bias zeros
/// errors  E066 x has other last axes
/// source  flax DenseGeneral
template <element T, class In, class Out, bias_option Bias = with_bias> struct dense_general;
template <element T, extent... In, extent... Out, bias_option Bias>
struct dense_general<T, shape<In...>, shape<Out...>, Bias> {
  array<T, In..., Out...> kernel;
  array<T, Out...> bias;
  static constexpr auto initial =
      nn::initial(&dense_general::kernel, initializers::as_matrix<int(sizeof...(In))>(initializers::lecun_normal()));

  template <any_array A> constexpr auto operator()(A const& x) const {
    if constexpr (!detail::require_features<A, In...>()) return detail::refused<int(sizeof...(In)), Out...>(x);
    else return detail::general_product<shape<In...>, shape<Out...>>(x, kernel) + bias;
  }
};
template <element T, extent... In, extent... Out> struct dense_general<T, shape<In...>, shape<Out...>, no_bias> {
  array<T, In..., Out...> kernel;
  static constexpr auto initial =
      nn::initial(&dense_general::kernel, initializers::as_matrix<int(sizeof...(In))>(initializers::lecun_normal()));

  template <any_array A> constexpr auto operator()(A const& x) const {
    if constexpr (!detail::require_features<A, In...>()) return detail::refused<int(sizeof...(In)), Out...>(x);
    else return detail::general_product<shape<In...>, shape<Out...>>(x, kernel);
  }
};

/// A table of N vectors of D numbers, which integers look up.
///
/// shape   ids [...] -> [..., D]; attend: x [..., D] -> [..., N], its products with all vectors, as for tied weights
/// init    normal numbers of variance 1 / D
/// errors  E033 ids are not integers, E066 attend: x has another number of features
/// source  flax Embed
template <element T, extent N, extent D> struct embed {
  array<T, N, D> embedding;
  static constexpr auto initial =
      nn::initial(&embed::embedding,
                  initializers::variance_scaling{1, initializers::fan::in, initializers::draw_from::normal, -2, 0});

  template <any_array A> constexpr auto operator()(A const& ids) const { return take<0>(embedding, ids); }
  template <any_array A> constexpr auto attend(A const& x) const {
    if constexpr (!detail::require_features<A, D>()) return detail::refused<1, N>(x);
    else return dot(x, transpose(embedding));
  }
};

}  // namespace etna::nn
