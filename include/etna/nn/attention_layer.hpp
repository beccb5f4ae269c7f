// SPDX-License-Identifier: BSD-3-Clause
// The layer around dot_product_attention: heads, rotary positions, a cache of keys and values. Read next: dropout.hpp.
#pragma once
#include "attention.hpp"
#include "dense.hpp"
#include "rotary.hpp"

namespace etna::nn {

/// Keys and values of the positions so far, at most Length, and how many those are: a tree, as of zeros, `cache{}`.
template <element T, extent Length, extent Heads, extent HeadSize> struct key_value_cache {
  array<T, Length, Heads, HeadSize> key, value;
  array<int> length;
};

/// Attention of Heads heads over D features. Options of a call: those of dot_product_attention (`causal`, a mask, a
/// bias, attention_scale), and nn::rotary{}.
///
/// KvHeads  heads of keys and values, which divide Heads: grouped queries
/// shape    x [t, D] or [b, t, D] -> the same; a mask broadcasts to [b, n, t, s]
/// init     as dense_general
/// errors   E066 x has another number of features, E055 other axes, E001 a mask does not broadcast
/// source   flax MultiHeadDotProductAttention; Vaswani et al., arXiv 1706.03762; Ainslie et al., arXiv 2305.13245
template <element T, extent D, extent Heads, extent KvHeads = Heads, extent HeadSize = D / Heads,
          bias_option Bias = with_bias>
struct multi_head_attention {
  dense_general<T, shape<D>, shape<Heads, HeadSize>, Bias> query;
  dense_general<T, shape<D>, shape<KvHeads, HeadSize>, Bias> key, value;
  dense_general<T, shape<Heads, HeadSize>, shape<D>, Bias> out;

  /// Each position looks at all of x.
  template <any_array A, attention_layer_option... O> constexpr auto operator()(A const& x, O const&... option) const {
    return across(x, x, option...);
  }
  /// Positions of x look at those of memory.
  template <any_array A, any_array M, attention_layer_option... O>
  constexpr auto across(A const& x, M const& memory, O const&... option) const {
    if constexpr (!detail::require_features<A, D>()) return x;
    else if constexpr (!detail::require_features<M, D>()) return x;
    else
      return attend(rotated(query(x), 0, option...), rotated(key(memory), 0, option...), value(memory), std::tuple<>{},
                    option...);
  }

  /// A cache for at most Length positions of one example.
  template <extent Length> using cache = key_value_cache<T, Length, KvHeads, HeadSize>;
  /// The next positions of one example, x [t, D]: they look at those in the cache and at one another, not ahead. What
  /// comes back is {y, the cache with them}; positions beyond its length overwrite the last ones.
  ///
  /// source  flax MultiHeadDotProductAttention(decode=True)
  template <any_array A, extent Length, attention_layer_option... O>
  constexpr auto decode(A const& x, key_value_cache<T, Length, KvHeads, HeadSize> const& so_far,
                        O const&... option) const {
    constexpr extent t = A::type.e[0];
    auto const at = so_far.length, zero = zeros_like(at);
    auto keys = dynamic_update_slice(so_far.key, rotated(key(x), at, option...), at, zero, zero);
    auto values = dynamic_update_slice(so_far.value, value(x), at, zero, zero);
    auto seen = less_equal(expand_dims<0>(arange<int, Length>()), expand_dims<1>(arange<int, t>()) + at);
    auto y = attend(rotated(query(x), at, option...), keys, values, std::tuple{seen}, option...);
    return std::pair{y, key_value_cache<T, Length, KvHeads, HeadSize>{keys, values, at + int(t)}};
  }

 private:
  template <class X, class P, class... O> static constexpr X rotated(X const& x, P const& first, O const&... option) {
    X r = x;
    [[maybe_unused]] auto apply = [&](auto const& o) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(o)>, rotary>) r = rotary_embedding(r, first, o.base);
    };
    (apply(option), ...);
    return r;
  }
  template <class Q, class K, class V, class... Taken>
  constexpr auto attend(Q const& q, K const& k, V const& v, std::tuple<Taken...> const& taken) const {
    return out(std::apply([&](auto const&... o) { return dot_product_attention(q, k, v, o...); }, taken));
  }
  // nn::rotary is none of dot_product_attention's
  template <class Q, class K, class V, class... Taken, class O, class... More>
  constexpr auto attend(Q const& q, K const& k, V const& v, std::tuple<Taken...> const& taken, O const& option,
                        More const&... more) const {
    if constexpr (std::is_same_v<O, rotary>) return attend(q, k, v, taken, more...);
    else return attend(q, k, v, std::tuple_cat(taken, std::tuple<O>{option}), more...);
  }
};

}  // namespace etna::nn
