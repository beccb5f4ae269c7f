// SPDX-License-Identifier: BSD-3-Clause
// Layers without parameters: dropout, and functions as layers. Read next: sequential.hpp.
#pragma once
#include <concepts>

#include "dropout.hpp"
#include "layer.hpp"

namespace etna::nn {

/// In training each element 0 with probability Rate, by a key: drop(x, key). In evaluation x: drop(x, nn::evaluation).
///
/// errors  E067 neither a key nor nn::evaluation, E026 x is not floating
/// source  flax Dropout
template <real Rate> requires(Rate.value >= 0 && Rate.value <= 1)
struct dropout {
  template <any_array A, class... M> constexpr auto operator()(A const& x, M const&... mode) const {
    constexpr bool evaluates = (std::is_same_v<M, evaluation_t> && ...), draws = (random::one_key<M> && ...);
    if constexpr (sizeof...(M) != 1 || !(evaluates || draws)) {
      message::fail<message::E067_dropout_needs_a_key<M...>>();
      return x;
    } else if constexpr (evaluates) return x;
    else return etna::dropout(mode..., x, Rate.value);
  }
};

/// A function as a layer, of sequential for example: nn::function<[](auto const& x) { return relu(x); }>.
template <auto F> struct function {
  template <class... A> requires std::invocable<decltype(F) const&, A const&...>
  constexpr auto operator()(A const&... x) const {
    return F(x...);
  }
};

}  // namespace etna::nn
