// SPDX-License-Identifier: BSD-3-Clause
// Attention whose scores are never kept: head by head, some queries at a time, forward and backward. Read next:
// attention.hpp.
#pragma once
#include <algorithm>
#include <limits>

#include <etna/control/custom.hpp>
#include <etna/control/scan.hpp>
#include <etna/numpy/einsum.hpp>
#include <etna/numpy/join.hpp>
#include <etna/numpy/slicing.hpp>

namespace etna {
namespace nn {

/// What a masked score becomes: finite, so that a row without any that is seen has the mean of the values.
template <class T> inline constexpr T masked_score = T(-0.7 * double(std::numeric_limits<float>::max()));

/// Queries of a head that go together: `Count` tiles of `Rows` each, from query `From` on; they see the first `Keys`
/// keys.
template <extent From, extent Rows, extent Count, extent Keys> struct band {
  static constexpr extent from = From, rows = Rows, count = Count, keys = Keys, end = From + Rows * Count;
};
/// Queries of a tile, so that its scores stay in the second cache.
constexpr extent tile_rows(extent keys, std::int64_t bytes) {
  using limits = tuning::attention;
  extent const fits = limits::tile / (keys * bytes) / limits::step * limits::step;
  return std::clamp<extent>(fits, limits::step, limits::most);
}
/// The bands of T queries and S keys: one, or where later keys are not seen some, each with the keys that it sees; and
/// what is left over.
template <extent T, extent S, extent Rows, bool Causal> struct bands {
  static constexpr extent rows = Rows, tiles = T / rows, left = T % rows,
                          parts = std::min<extent>(Causal ? tuning::attention::bands : 1, tiles);
  static constexpr int n = int(parts) + (left > 0);
  static constexpr extent seen(extent end) { return Causal ? std::min(S, end) : S; }
  template <int Nth> static constexpr auto at() {
    if constexpr (Nth == parts) return band<tiles * rows, left, 1, seen(T)>{};
    else {
      constexpr extent first = tiles * Nth / parts, end = tiles * (Nth + 1) / parts;
      return band<first * rows, rows, end - first, seen(end * rows)>{};
    }
  }
};
template <std::size_t K, class... Y> constexpr auto join_part(Y const&... y) {
  return concatenate<0>(std::get<K>(y)...);
}
template <class First, class... More> constexpr auto join_bands(First const& y, More const&... more) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return std::tuple{join_part<K>(y, more...)...};
  }(std::make_index_sequence<std::tuple_size_v<First>>{});
}
/// f of each band, results joined: tuples of arrays with an axis of queries in front.
template <class Bands, class F> constexpr auto each_band(F const& f) {
  return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
    return join_bands(f(Bands::template at<int(Nth)>())...);
  }(std::make_index_sequence<Bands::n>{});
}

/// Stands for a slice of what is the same for all of them.
using no_slice = std::tuple<>;
template <class X, class Slice> constexpr auto slice_or_all(X const& all, Slice const& slice) {
  if constexpr (std::is_same_v<Slice, no_slice>) return all;
  else return slice;
}
template <class... X, class... Slice>
constexpr auto slices_or_all(std::tuple<X...> const& all, std::tuple<Slice...> const& slices) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return std::tuple{slice_or_all(std::get<K>(all), std::get<K>(slices))...};
  }(std::index_sequence_for<X...>{});
}
template <class F, class... X> constexpr auto map_tuple(F const& f, std::tuple<X...> const& x) {
  return std::apply([&](auto const&... each) { return std::tuple<decltype(f(each))...>{f(each)...}; }, x);
}

/// What a band reads: of queries [t, ...] its tiles [count, rows, ...]; of keys and values, and of a bias or mask
/// [t or 1, s or 1], the keys that are seen.
template <class B> struct parts_of {
  template <class X> static constexpr auto tiles(X const& x) {
    if constexpr (B::from == 0 && B::end == X::type.e[0]) return control::fold<int(B::rows)>(x);
    else return control::fold<int(B::rows)>(slice<range{B::from, B::end}>(x));
  }
  template <class K> static constexpr auto keys(K const& k) {
    if constexpr (K::type.e[0] == B::keys) return k;
    else return slice<range{0, B::keys}>(k);
  }
  template <class X> static constexpr auto seen(X const& x) {
    if constexpr (X::type.e[1] == B::keys || X::type.e[1] == 1) return x;
    else return slice<every, range{0, B::keys}>(x);
  }
  template <class X> static constexpr auto seen_tiles(X const& x) {
    if constexpr (X::type.e[0] == 1) return no_slice{};
    else return tiles(seen(x));
  }
  template <class... X> static constexpr auto all_seen(std::tuple<X...> const& x) {
    return map_tuple([](auto const& one) { return seen(one); }, x);
  }
  template <class... X> static constexpr auto all_tiles(std::tuple<X...> const& x) {
    return map_tuple([](auto const& one) { return seen_tiles(one); }, x);
  }
  template <bool Wanted> static constexpr auto first_rows() {
    if constexpr (Wanted) return arange<int, B::count>() * int(B::rows) + int(B::from);
    else return no_slice{};
  }
};
/// Results of tiles [count, rows, ...] as those of a band.
template <class Y> constexpr auto joined_tiles(Y const& y) {
  return map_tuple([](auto const& x) { return control::unfold(x); }, y);
}

/// The scores of a tile, query [rows, h] and key [keys, h].
template <class B, bool Causal, class Q, class K, class Row, class Biases, class Masks>
constexpr auto tile_scores(Q const& query, K const& key, Row const& first_row, Biases const& biases,
                           Masks const& masks) {
  auto scores = einsum<"th,sh->ts">(query, key);
  using S = decltype(scores);
  constexpr auto low = masked_score<typename S::value_type>;
  std::apply([&](auto const&... b) { ((scores = S(scores + b)), ...); }, biases);
  std::apply([&](auto const&... m) { ((scores = S(where(m, scores, low))), ...); }, masks);
  if constexpr (Causal) {
    auto row = expand_dims<1>(arange<int, B::rows>() + first_row);
    scores = S(where(expand_dims<0>(arange<int, B::keys>()) <= row, scores, low));
  }
  return scores;
}

/// Attention of one head, and of each query the largest score and one over the sum of exponentials, which give the
/// weights again. query [t, h] is scaled; key and value [s, h]; biases and masks, tuples of them, [t or 1, s or 1].
template <class Bands, bool Causal, class Masks> struct head_attention {
  Masks const& masks;
  template <class Q, class K, class Biases>
  constexpr auto operator()(Q const& query, K const& key, K const& value, Biases const& biases) const {
    return each_band<Bands>([&]<class B>(B) {
      using part = parts_of<B>;
      auto k = part::keys(key), v = part::keys(value);
      auto bias = part::all_seen(biases);
      auto mask = part::all_seen(masks);
      auto tile = [&](auto const& x) {
        auto const& [q, row, b, m] = x;
        auto scores = tile_scores<B, Causal>(q, k, row, slices_or_all(bias, b), slices_or_all(mask, m));
        auto most = max<1>(scores, keepdims);
        auto e = exp(scores - most);
        auto share = 1 / sum<1>(e, keepdims);
        return std::tuple{einsum<"ts,sh->th">(e, v) * share, squeeze<1>(most), squeeze<1>(share)};
      };
      return joined_tiles(etna::map(tile, std::tuple{part::tiles(query), part::template first_rows<Causal>(),
                                                     part::all_tiles(biases), part::all_tiles(masks)}));
    });
  }
};
/// Its tangent, tile by tile and linear in the tangents, with weights that are computed again: so its transpose is a
/// loop of tiles too, and derivatives of any order keep no scores. The largest score counts as constant, since the
/// weights do not depend on what is subtracted.
template <class Bands, bool Causal, class Masks> struct head_attention_tangent {
  Masks const& masks;
  template <class Args, class Dots, class Y>
  constexpr auto operator()(Args const& x, Dots const& dx, Y const& y) const {
    // no structured bindings: with OpenMP clang has no lambdas that capture them
    auto const &query = std::get<0>(x), &dquery = std::get<0>(dx);
    auto const &key = std::get<1>(x), &dkey = std::get<1>(dx), &value = std::get<2>(x), &dvalue = std::get<2>(dx);
    auto const &biases = std::get<3>(x), &dbiases = std::get<3>(dx);
    auto const& most = std::get<1>(y);
    auto moved = each_band<Bands>([&]<class B>(B) {
      using part = parts_of<B>;
      auto k = part::keys(key), dk = part::keys(dkey), v = part::keys(value), dv = part::keys(dvalue);
      auto bias = part::all_seen(biases), dbias = part::all_seen(dbiases);
      auto mask = part::all_seen(masks);
      auto tile = [&](std::tuple<> const&, auto const& tiles) {
        auto const& [q, dq, b, db, m, top] = tiles.first;
        auto const& row = tiles.second;
        auto mine = slices_or_all(mask, m);
        auto [scores, dscores] = etna::jvp(
            [&](auto const& q, auto const& k, auto const& b) { return tile_scores<B, Causal>(q, k, row, b, mine); },
            std::tuple{q, k, slices_or_all(bias, b)}, std::tuple{dq, dk, slices_or_all(dbias, db)});
        auto e = exp(scores - expand_dims<1>(top));
        auto de = e * dscores;
        return std::pair{std::tuple<>{},
                         std::tuple{einsum<"ts,sh->th">(de, v) + einsum<"ts,sh->th">(e, dv), sum<1>(de)}};
      };
      auto slices = std::tuple{part::tiles(query),       part::tiles(dquery),    part::all_tiles(biases),
                               part::all_tiles(dbiases), part::all_tiles(masks), part::tiles(most)};
      return joined_tiles(
          scan(tile, std::tuple<>{}, std::pair{slices, part::template first_rows<Causal>()}, keep_none).second);
    });
    auto const& [dproduct, dsum] = moved;
    auto const& share = std::get<2>(y);
    auto dresult = expand_dims<1>(share) * (dproduct - expand_dims<1>(dsum) * std::get<0>(y));
    return std::pair{y, std::tuple{dresult, zeros_like(most), -square(share) * dsum}};
  }
};
template <extent Rows, bool Causal, class Q, class K, class Biases, class Masks>
constexpr auto attend_by_tiles(Q const& query, K const& key, K const& value, Biases const& biases, Masks const& masks) {
  constexpr extent t = Q::type.e[0], s = K::type.e[0];
  using cut = bands<t, s, Rows, Causal>;
  auto [y, most, share] = custom_jvp(head_attention<cut, Causal, Masks>{masks},
                                     head_attention_tangent<cut, Causal, Masks>{masks})(query, key, value, biases);
  if constexpr (Causal && std::tuple_size_v<Masks> > 0) {
    // a row of which nothing is seen has the mean of all values, also of those that its band does not see
    auto none = expand_dims<1>(stop_gradient(most)) <= masked_score<typename Q::value_type>;
    return decltype(y)(where(none, mean<0>(value, keepdims), y));
  } else return y;
}

/// f along the leading axis of the query, perhaps of key and value, and of biases and masks that do not have one there.
template <bool Keys, class F, class Q, class K, class Biases, class Masks>
constexpr auto each_in_front(F const& f, Q const& query, K const& key, K const& value, Biases const& biases,
                             Masks const& masks) {
  auto all = [](auto const& x) {
    if constexpr (std::remove_cvref_t<decltype(x)>::type.e[0] == 1) return squeeze<0>(x);
    else return no_slice{};
  };
  auto slices = [](auto const& x) {
    if constexpr (std::remove_cvref_t<decltype(x)>::type.e[0] == 1) return no_slice{};
    else return x;
  };
  auto b = map_tuple(all, biases);
  auto m = map_tuple(all, masks);
  auto in_slices = std::pair{map_tuple(slices, biases), map_tuple(slices, masks)};
  auto one = [&](auto const& q, auto const& k, auto const& v, auto const& options) {
    return f(q, k, v, slices_or_all(b, options.first), slices_or_all(m, options.second));
  };
  if constexpr (Keys)
    return etna::map([&](auto const& x) { return std::apply(one, x); }, std::tuple{query, key, value, in_slices});
  else return etna::map([&](auto const& x) { return one(x.first, key, value, x.second); }, std::pair{query, in_slices});
}
/// The type of x without those of its leading axes whose loop has one round.
template <extent... Loop> constexpr tensor_type without_ones(tensor_type t) {
  int axis = 0;
  ((Loop == 1 ? void(t = t.drop(axis)) : void(++axis)), ...);
  return t;
}
template <class X, extent... Loop> struct looped {
  static constexpr tensor_type value = without_ones<Loop...>(X::type);
};
/// A bias or mask that broadcasts to [b, n, t, s], as [b or 1, heads or 1, n / heads or 1, t or 1, s or 1].
template <class X, extent B, extent Heads, extent Group> struct looped_option {
  static constexpr tensor_type value = [] {
    tensor_type t = X::type;
    while (t.rank < 4) t = t.insert(0, 1);
    extent const heads = t.e[1] == Heads * Group ? Heads : 1;
    t.e[1] /= heads;
    return without_ones<B, Heads, Group>(t.insert(1, heads));
  }();
};
template <class X> constexpr bool broadcasts_to_scores(extent b, extent n, extent t, extent s) {
  extent const to[] = {b, n, t, s};
  if (X::rank > 4) return false;
  for (int i = 0; i < X::rank; ++i)
    if (extent const e = X::type.e[i]; e != 1 && e != to[4 - X::rank + i]) return false;
  return true;
}

/// Attention by tiles: query [b, t, n, h], scaled; key and value [b, s, k, h]; biases and masks broadcast to
/// [b, n, t, s].
template <extent Rows, bool Causal, class Q, class K, class... Bias, class... Mask>
constexpr auto tiled_attention(Q const& query, K const& key, K const& value, std::tuple<Bias...> const& biases,
                               std::tuple<Mask...> const& masks) {
  constexpr auto q = Q::type.e;
  constexpr extent b = q[0], t = q[1], n = q[2], h = q[3], heads = K::type.e[2], group = n / heads;
  // axes of one are left out before the loops: inside of them that would be copies
  auto of_queries = reshape<b, heads, group, t, h>(transpose<0, 2, 1, 3>(query));
  auto of_keys = [](auto const& x) {
    auto y = transpose<0, 2, 1, 3>(x);
    return numpy::reshape_as<looped<decltype(y), b, heads>>(y);
  };
  auto of_scores = [](auto const& x) {
    return numpy::reshape_as<looped_option<std::remove_cvref_t<decltype(x)>, b, heads, group>>(x);
  };
  auto head = [](auto const&... x) { return attend_by_tiles<Rows, Causal>(x...); };
  auto each = []<extent N, bool Keys>(auto const& f) {
    return [&f](auto const&... x) {
      if constexpr (N == 1) return f(x...);
      else return each_in_front<Keys>(f, x...);
    };
  };
  auto in_group = each.template operator()<group, false>(head);
  auto in_heads = each.template operator()<heads, true>(in_group);
  auto in_batch = each.template operator()<b, true>(in_heads);
  auto y = in_batch(numpy::reshape_as<looped<decltype(of_queries), b, heads, group>>(of_queries), of_keys(key),
                    of_keys(value), map_tuple(of_scores, biases), map_tuple(of_scores, masks));
  return transpose<0, 2, 1, 3>(reshape<b, n, t, h>(y));
}

}  // namespace nn
}  // namespace etna
