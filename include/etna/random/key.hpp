// SPDX-License-Identifier: BSD-3-Clause
// Keys of the counter-based generator: values, bit for bit those of JAX. A draw is a function of its
// key alone; use a key once, and make new ones with split or fold_in. Read next: large_draw.hpp.
#pragma once
#include <etna/numpy/special.hpp>
#include <etna/numpy/take.hpp>

namespace etna {
namespace random {

/// The two words of a key, or of a batch of keys: a tree of two leaves.
template <class First, class Second = First> struct key_words {
  First first;
  Second second;
};
/// A batch of keys: vmap over it.
template <extent... E> using keys = key_words<array<std::uint32_t, E...>>;
/// The type of a key.
using prng_key = keys<>;

template <class K> struct is_keys : std::false_type {};
template <extent... E> struct is_keys<key_words<array<std::uint32_t, E...>>> : std::true_type {};
template <class K> concept any_keys = is_keys<std::remove_cvref_t<K>>::value;
template <class K> concept one_key = std::is_same_v<std::remove_cvref_t<K>, prng_key>;

// ETNA_NEEDS_KEY(NAME, CALL): NAME of what is no key, or of a batch of them; ETNA_DRAW_NEEDS_KEY where an element type
// comes first.
#define ETNA_NEEDS_KEY_(NAME, CALL, ...)                                                                       \
  template <__VA_ARGS__ class K, class... More> requires(!random::any_keys<K>)                                 \
  ETNA_REFUSAL(E051_not_a_key, "E051: a random key is needed, as random::key(seed) makes one: " CALL,          \
               NAME(K const&, More const&...));                                                                \
  template <__VA_ARGS__ random::any_keys K, class... More> requires(!random::one_key<K>)                       \
  ETNA_REFUSAL(E052_batch_of_keys, "E052: one random key is needed, and this is a batch; vmap over it: " CALL, \
               NAME(K const&, More const&...))
#define ETNA_NEEDS_KEY(NAME, CALL) ETNA_NEEDS_KEY_(NAME, CALL, auto..., )
#define ETNA_DRAW_NEEDS_KEY(NAME, CALL) ETNA_NEEDS_KEY_(NAME, CALL, element T, auto..., )

namespace detail {
using numpy::handle;
using word = array<std::uint32_t>;

/// Is K one key? Otherwise the compiler stops with the reason.
template <class K> constexpr bool require_key() {
  constexpr bool one = std::is_same_v<K, prng_key>;
  if constexpr (any_keys<K> && !one) message::fail<message::E052_batch_of_keys<K>>();
  else if constexpr (!one) message::fail<message::E051_not_a_key<K>>();
  return one;
}
/// A number, or an integer array, as one word; larger ones lose their upper bits.
template <class N> constexpr auto as_word(N const& n) {
  if constexpr (any_array<N>) {
    if constexpr (!is_integer(N::type.d)) message::fail<message::E033_index_not_integer<N>>();
    return astype<std::uint32_t>(n);
  } else return word(std::uint32_t(n));
}
/// A row of the generator on a key and counters of one shape.
template <class P, class C> constexpr C words_at(prng_key const& k, C const& counter) {
  handle c = numpy::to_handle(counter);
  tensor_type const t = c.type();
  handle in[] = {numpy::broadcast_to(numpy::to_handle(k.first), t), numpy::broadcast_to(numpy::to_handle(k.second), t),
                 c};
  return numpy::to_array<C>(numpy::call(ops::code<P>, in, 3));
}
template <class C> constexpr auto keys_at(prng_key const& k, C const& counter) {
  return key_words<C>{words_at<ops::random_first_p>(k, counter), words_at<ops::random_second_p>(k, counter)};
}
}  // namespace detail

/// A key from a seed, an integer: its upper 32 bits and its lower ones (an int has no upper ones).
///
/// shape   seed: a C++ integer, or an array<int> or array<std::int64_t>
/// diff    none
/// errors  E033 the seed is not an integer
/// source  JAX random.key with threefry2x32
template <class N> requires(numpy::operand<N>)
constexpr prng_key key(N const& seed) {
  if constexpr (any_array<N>) {
    if constexpr (N::type.d == dtype::i64) return {detail::as_word(seed >> 32), detail::as_word(seed)};
    else return {detail::word(0u), detail::as_word(seed)};
  } else {
    if constexpr (!std::is_integral_v<N>) message::fail<message::E033_index_not_integer<N>>();
    if constexpr (sizeof(N) > 4)
      return {detail::word(std::uint32_t(std::uint64_t(seed) >> 32)), detail::word(std::uint32_t(seed))};
    else return {detail::word(0u), detail::word(std::uint32_t(seed))};
  }
}

/// Another key for each number, independent of the key itself.
///
/// shape   data: an integer, or an integer array of no axes
/// errors  E051 not a key, E052 a batch of keys, E033 data that is not an integer
/// source  JAX random.fold_in
template <one_key K, class N> requires(numpy::operand<N>)
constexpr auto fold_in(K const& key, N const& data) {
  constexpr bool one = detail::require_key<K>();
  if constexpr (!one) return key;
  else return detail::keys_at(key, detail::as_word(data));
}

/// N keys, independent of one another: auto [a, b] = split(key).
///
/// errors  E051 not a key, E052 a batch of keys
/// source  JAX random.split
template <int N = 2, one_key K> constexpr auto split(K const& key) {
  constexpr bool one = detail::require_key<K>();
  if constexpr (!one) return key;
  else
    return [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
      return std::array<prng_key, N>{detail::keys_at(key, detail::word(std::uint32_t(Nth)))...};
    }(std::make_integer_sequence<int, N>{});
}
/// The same keys as a batch of N..., for vmap: vmap(f)(split_batch<64>(key)).
template <extent... N, one_key K> constexpr auto split_batch(K const& key);

namespace detail {
/// first, first + 1, ... in row-major order in the shape of t.
constexpr handle counters(tensor_type t, extent first = 0) {
  t.d = dtype::u32;
  if (t.rank == 0) return numpy::full(t, 0);
  handle n = numpy::reshape(numpy::ramp({dtype::u32, 1, {t.size()}}, 0), t);
  if (first == 0) return n;
  handle const both[] = {n, numpy::full(t, first)};
  return numpy::call(ops::code<ops::add_p>, both, 2);
}
template <extent... E> constexpr auto counters_of() {
  using C = array<std::uint32_t, E...>;
  return numpy::to_array<C>(counters(C::type));
}
}  // namespace detail

template <extent... N, one_key K> constexpr auto split_batch(K const& key) {
  constexpr bool one = detail::require_key<K>();
  if constexpr (!one) return key;
  else return detail::keys_at(key, detail::counters_of<N...>());
}

/// The words of keys, side by side on a new last axis.
///
/// shape   keys [a] -> [a, 2]
/// source  JAX random.key_data
template <any_keys K> constexpr auto key_data(K const& keys) {
  auto which = array<int, 2>(arange<int, 2>());
  return where(equal(which, 0), expand_dims<-1>(keys.first), expand_dims<-1>(keys.second));
}
/// Keys of words that lie side by side on the last axis.
///
/// source  JAX random.wrap_key_data
///
/// errors  E051 not u32, or not two of them
template <any_array A> constexpr auto wrap_key_data(A const& words) {
  constexpr bool fits = A::rank > 0 && A::type.d == dtype::u32 && A::type.e[A::rank > 0 ? A::rank - 1 : 0] == 2;
  if constexpr (!fits) message::fail<message::E051_not_a_key<A>>();
  auto first = take<-1>(words, array<int>(0)), second = take<-1>(words, array<int>(1));
  return key_words<decltype(first)>{first, second};
}

namespace detail {
template <class A, class B> concept with_keys = any_keys<A> || any_keys<B>;
template <class A, class B> constexpr auto no_number() {
  message::fail<message::E053_key_as_number<A, B>>();
  return prng_key{};
}
}  // namespace detail
// A key is no number: these say so.
template <class A, class B> requires detail::with_keys<A, B>
constexpr auto operator+(A const&, B const&) {
  return detail::no_number<A, B>();
}
template <class A, class B> requires detail::with_keys<A, B>
constexpr auto operator-(A const&, B const&) {
  return detail::no_number<A, B>();
}
template <class A, class B> requires detail::with_keys<A, B>
constexpr auto operator*(A const&, B const&) {
  return detail::no_number<A, B>();
}
template <class A, class B> requires detail::with_keys<A, B>
constexpr auto operator/(A const&, B const&) {
  return detail::no_number<A, B>();
}
template <class A, class B> requires detail::with_keys<A, B>
constexpr auto operator^(A const&, B const&) {
  return detail::no_number<A, B>();
}
template <class A, class B> requires detail::with_keys<A, B>
constexpr auto operator<(A const&, B const&) {
  return detail::no_number<A, B>();
}

ETNA_NEEDS_KEY(fold_in, "fold_in(key, i)");
ETNA_NEEDS_KEY(split, "split(key)");
ETNA_NEEDS_KEY(split_batch, "split_batch<64>(key)");
// How many is not taken as an argument.
template <auto..., any_keys K, message::axis_number N>
ETNA_REFUSAL(E036_axes_are_template_arguments, "E036: how many keys is a template argument; write split<3>(key)",
             split(K const&, N const&));
template <auto..., any_keys K, message::axis_number N>
ETNA_REFUSAL(E036_axes_are_template_arguments, "E036: how many keys is a template argument; write split_batch<3>(key)",
             split_batch(K const&, N const&));

}  // namespace random
}  // namespace etna
