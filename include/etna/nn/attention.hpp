// SPDX-License-Identifier: BSD-3-Clause
// Scaled dot-product attention, a composition; where its scores are many, by tiles. Read next: dropout.hpp.
#pragma once
#include "attention_tiles.hpp"
#include "loss.hpp"

namespace etna {
namespace nn {

struct causal_t {};
/// A factor of the logits other than 1 / sqrt(head size).
template <numpy::scalar_operand F = double> struct attention_scale {
  F factor;
};
template <class F> attention_scale(F) -> attention_scale<F>;
template <class O> inline constexpr bool is_scale = false;
template <class F> inline constexpr bool is_scale<attention_scale<F>> = true;

template <class O> concept attention_option = any_array<O> || std::is_same_v<O, causal_t> || is_scale<O>;

/// Do query [b, t, n, h], key [b, s, k, h] and value [b, s, k, h] fit, n a multiple of k?
template <class Q, class K, class V> constexpr bool attention_fits() {
  if constexpr (Q::rank != 4 || K::rank != 4 || V::rank != 4) return false;
  else {
    auto const &q = Q::type.e, &k = K::type.e, &v = V::type.e;
    bool real = is_floating(Q::type.d) && K::type.d == Q::type.d && V::type.d == Q::type.d;
    bool same = q[0] == k[0] && k[0] == v[0] && k[1] == v[1] && k[2] == v[2] && q[3] == k[3] && k[3] == v[3];
    return real && same && q[2] > 0 && k[2] > 0 && q[2] % k[2] == 0 && q[3] > 0;
  }
}
/// An option's effect on logits [b, n, t, s], in the order in which they are given.
template <class L, class O> constexpr L with_option(L const& logits, O const& option) {
  constexpr auto low = masked_score<typename L::value_type>;
  if constexpr (is_scale<O>) return logits;
  else if constexpr (std::is_same_v<O, causal_t>) {
    tensor_type t = numpy::to_handle(logits).type().with(dtype::i32);
    numpy::handle in[] = {numpy::ramp(t, 3), numpy::ramp(t, 2)};
    return where(
        numpy::to_array<array_of<numpy::as_dtype<L, dtype::boolean>>>(numpy::call(ops::code<ops::le_p>, in, 2)), logits,
        low);
  } else if constexpr (O::type.d == dtype::boolean) return L(where(option, logits, low));
  else return L(logits + option);
}
/// The factor: the last that is given, otherwise 1 / sqrt(h), by Newton's iteration: a square root that is constant.
constexpr double usual_scale(extent h) {
  double r = double(h);
  for (int i = 0; i < 64; ++i) r = (r + double(h) / r) / 2;
  return 1 / r;
}
template <class S> constexpr auto scale_of(S const& given) { return given; }
template <class S, class O, class... More>
constexpr auto scale_of(S const& given, O const& option, More const&... more) {
  if constexpr (is_scale<O>) return scale_of(option.factor, more...);
  else return scale_of(given, more...);
}
template <class L, class S, class... O>
constexpr auto attention_weights(L const& products, S const& scale, O const&... option) {
  auto logits = products * scale;
  ((logits = with_option(logits, option)), ...);
  return softmax<-1>(logits);
}

/// Attention as it is written, with its scores as an array [b, n, t, s].
template <class Q, class K, class V, class S, class... O>
constexpr auto plain_attention(Q const& query, K const& key, V const& value, S const& scale, O const&... option) {
  constexpr auto q = Q::type.e;
  constexpr extent b = q[0], t = q[1], n = q[2], h = q[3], s = K::type.e[1], heads = K::type.e[2];
  if constexpr (n == heads)
    return einsum<"bnts,bsnh->btnh">(attention_weights(einsum<"btnh,bsnh->bnts">(query, key), scale, option...), value);
  else {
    auto grouped = reshape<b, t, heads, n / heads, h>(query);
    auto products = reshape<b, n, t, s>(einsum<"btkgh,bskh->bkgts">(grouped, key));
    auto weights = reshape<b, heads, n / heads, t, s>(attention_weights(products, scale, option...));
    return reshape<b, t, n, h>(einsum<"bkgts,bskh->btkgh">(weights, value));
  }
}

template <bool Masks, class T, class O> constexpr auto as_mask_or_bias(O const& option) {
  if constexpr (!any_array<O>) return std::tuple<>{};
  else if constexpr ((O::type.d == dtype::boolean) != Masks) return std::tuple<>{};
  else if constexpr (Masks) return std::tuple<O>{option};
  else return std::tuple{astype<T>(option)};
}
/// The same without its scores, so many queries at a time: a mask beats a bias, in whatever order they come.
template <extent Rows, class Q, class K, class S, class... O>
constexpr auto attention_by_tiles(Q const& query, K const& key, K const& value, S const& scale, O const&... option) {
  using T = typename Q::value_type;
  constexpr bool is_causal = (std::is_same_v<O, causal_t> || ...);
  return tiled_attention<Rows, is_causal>(query * scale, key, value,
                                          std::tuple_cat(as_mask_or_bias<false, T>(option)...),
                                          std::tuple_cat(as_mask_or_bias<true, T>(option)...));
}
/// Are the scores of a head more than a cache has, and at least two tiles? `S`: the factor of the query, which leaves
/// it as it is.
template <class Q, class K, class S, class... O> constexpr bool goes_by_tiles() {
  constexpr extent b = Q::type.e[0], t = Q::type.e[1], n = Q::type.e[2], s = K::type.e[1];
  constexpr std::int64_t bytes = etna::bytes_of(Q::type.d);
  [[maybe_unused]] auto fits = []<class X>(std::type_identity<X>) {
    if constexpr (any_array<X>) return broadcasts_to_scores<X>(b, n, t, s);
    else return true;
  };
  return std::is_same_v<decltype(std::declval<Q>() * std::declval<S>()), Q> && t > 0 && s > 0 &&
         t * s * bytes >= tuning::attention::least && t >= 2 * tile_rows(s, bytes) &&
         (fits(std::type_identity<O>{}) && ...);
}

}  // namespace nn

/// Option of dot_product_attention: a query sees keys up to its own place.
inline constexpr nn::causal_t causal{};
using nn::attention_scale;

/// softmax(query key^T / sqrt(h) + bias) value, for each head. After the three come options: a floating array is a
/// bias, a bool array a mask (true: seen), `causal`, `attention_scale{factor}`; a bias comes before masks.
///
/// shape   query [b, t, n, h], key and value [b, s, k, h], n a multiple of k (grouped queries), or all without b;
///         bias and mask broadcast to [b, n, t, s] -> [b, t, n, h]
/// cost    where a head's scores are 1 MB and more (tuning::attention), they are made tile by tile and never kept,
///         forward and backward: memory is that of the arguments; tiles of which `causal` sees nothing are left out
/// dtype   floating, of one type; computed in it (JAX: the softmax in f32)
/// diff    through softmax; what is masked has none
/// errors  E055 the shapes do not fit, E001 bias or mask does not broadcast
/// source  JAX nn.dot_product_attention; Vaswani et al., arXiv 1706.03762
template <any_array Q, any_array K, any_array V, nn::attention_option... O>
constexpr auto dot_product_attention(Q const& query, K const& key, V const& value, O const&... option) {
  if constexpr (Q::rank == 3 && K::rank == 3 && V::rank == 3)
    return squeeze<0>(
        dot_product_attention(expand_dims<0>(query), expand_dims<0>(key), expand_dims<0>(value), option...));
  else if constexpr (!nn::attention_fits<Q, K, V>()) {
    message::fail<message::E055_attention_shapes<typename numpy::text_of<Q>::type, typename numpy::text_of<K>::type,
                                                 typename numpy::text_of<V>::type>>();
    return query;
  } else {
    auto scale = nn::scale_of(nn::usual_scale(Q::type.e[3]), option...);
    if constexpr (nn::goes_by_tiles<Q, K, decltype(scale), O...>())
      return nn::attention_by_tiles<nn::tile_rows(K::type.e[1], etna::bytes_of(Q::type.d))>(query, key, value, scale,
                                                                                            option...);
    else return nn::plain_attention(query, key, value, scale, option...);
  }
}

}  // namespace etna
