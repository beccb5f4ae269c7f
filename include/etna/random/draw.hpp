// SPDX-License-Identifier: BSD-3-Clause
// Draws from a key, bit for bit those of JAX 0.10 (normals within 2 units in the last place). A shape
// is given as of zeros: uniform<float, 3, 4>(key). Read next: distribution.hpp.
#pragma once
#include <limits>
#include <utility>

#include "large_draw.hpp"

namespace etna::random {

namespace detail {

template <class R> struct words_for {
  static constexpr tensor_type value = R::type.with(dtype::u32);
};
/// Words of a row of the generator in R's shape, t where a name stands for a size.
template <class P, class R> constexpr auto words(prng_key const& key, drawn_part const& at) {
  using W = array_of<words_for<R>>;
  return words_at<P>(key, numpy::to_array<W>(counters(at.t, at.first)));
}

/// Numbers k / 2^m from 0 up to 1: as many upper bits as the fraction of R's elements has. They are the upper ones of 8
/// or 16 for narrow types, of which the word has the lowest.
template <class R> constexpr auto unit(prng_key const& key, drawn_part const& t) {
  using T = typename R::value_type;
  constexpr int fraction = std::numeric_limits<T>::digits - 1, drawn = fraction < 8 ? 8 : fraction < 16 ? 16 : 32;
  if constexpr (sizeof(T) < 8) {
    auto w = words<ops::random_bits_p, R>(key, t);
    if constexpr (drawn == 32) return astype<T>(w >> (drawn - fraction)) * T(0x1p-23f);
    else return astype<T>((w & ((1u << drawn) - 1)) >> (drawn - fraction)) * T(1. / double(1 << fraction));
  } else
    return astype<double>(words<ops::random_first_p, R>(key, t)) * 0x1p-32 +
           astype<double>(words<ops::random_second_p, R>(key, t) >> 12) * 0x1p-52;
}

template <class T, class N> constexpr auto bound(N const& n) {
  if constexpr (any_array<N>) return astype<T>(n);
  else return T(n);
}
/// x as memory would have it: JAX rounds each step of a draw of 16 bits, and a kernel would not.
template <class A> constexpr A stored(A const& x) {
  if constexpr (is_narrow(A::type.d)) return astype<typename A::value_type>(astype<float>(x));
  else return x;
}
template <class R, class L, class H>
constexpr R uniform_in(prng_key const& key, drawn_part const& t, L const& from, H const& to) {
  using T = typename R::value_type;
  auto low = bound<T>(from);
  auto width = bound<T>(to) - low;
  auto u = unit<R>(key, t);
  if constexpr (!any_array<L> && !any_array<H>)
    if (low == 0 && width == 1) return u;
  return stored(R(maximum(stored(u * width) + low, low)));
}
template <class R> constexpr R normal_in(prng_key const& key, drawn_part const& t) {
  using T = typename R::value_type;
  return stored(erf_inv(uniform_in<R>(key, t, std::numeric_limits<T>::epsilon() / 2 - 1, 1))) * T(1.4142135623730951);
}
/// The same draws as a whole: in pieces where they are large and no array is broadcast to them.
template <class R, class L, class H>
constexpr R uniform_of(prng_key const& key, tensor_type const& t, L const& low, H const& high) {
  if constexpr (any_array<L> || any_array<H>) return uniform_in<R>(key, t, low, high);
  else return drawn<R>(key, t, [&]<class Q>(drawn_part const& at) { return uniform_in<Q>(key, at, low, high); });
}
template <class R> constexpr R normal_of(prng_key const& key, tensor_type const& t) {
  return drawn<R>(key, t, [&]<class Q>(drawn_part const& at) { return normal_in<Q>(key, at); });
}

/// 64 random bits.
template <extent... E> constexpr auto wide_bits(prng_key const& key) {
  using R = array<std::uint64_t, E...>;
  return drawn<R>(key, R::type, [&]<class Q>(drawn_part const& at) {
    auto upper = words<ops::random_first_p, Q>(key, at), lower = words<ops::random_second_p, Q>(key, at);
    return Q((astype<std::uint64_t>(upper) << 32) | astype<std::uint64_t>(lower));
  });
}

/// Is K one key, and T fit for draws of real numbers?
template <class K, class T> constexpr bool require_real() {
  constexpr bool one = require_key<K>(), real = is_real<T>;
  if constexpr (one && !real) message::fail<message::E054_no_such_draw<T>>();
  return one && real;
}

}  // namespace detail

/// Random bits: all values of an integer type without a sign, equally likely.
///
/// shape   E...; up to 2^32 elements
/// dtype   T: std::uint8_t, std::uint16_t, std::uint32_t or std::uint64_t
/// diff    none
/// errors  E051 not a key, E052 a batch of keys, E054 another element type
/// source  JAX random.bits
template <element T, extent... E, one_key K> constexpr auto bits(K const& key) {
  constexpr bool one = detail::require_key<K>(), fits = row_of(dtype_of<T>).family == kind::unsigned_integer;
  if constexpr (one && !fits) message::fail<message::E054_no_such_draw<T>>();
  if constexpr (!one || !fits) return array<T, E...>();
  else if constexpr (sizeof(T) == 8) return detail::wide_bits<E...>(key);
  else return astype<T>(detail::words<ops::random_bits_p, array<T, E...>>(key, array<T, E...>::type));
}

/// Uniform numbers from low on, below high.
///
/// shape   E...; low and high broadcast to it
/// dtype   T: a floating type
/// diff    with respect to low and high
/// errors  E051 not a key, E052 a batch of keys, E054 T is not floating, E003 low or high has more axes
/// source  JAX random.uniform
template <element T, extent... E, one_key K, numpy::operand L = int, numpy::operand H = int>
constexpr auto uniform(K const& key, L const& low = 0, H const& high = 1) {
  using R = array<T, E...>;
  constexpr bool ok = detail::require_real<K, T>();
  if constexpr (!ok) return R();
  else return detail::uniform_of<R>(key, R::type, low, high);
}
/// The same in x's shape and element type, also of named sizes.
template <one_key K, any_array A, numpy::operand L = int, numpy::operand H = int>
constexpr auto uniform_like(K const& key, A const& x, L const& low = 0, H const& high = 1) {
  constexpr bool ok = detail::require_real<K, typename A::value_type>();
  if constexpr (!ok) return x;
  else return detail::uniform_of<A>(key, numpy::to_handle(x).type(), low, high);
}

/// Numbers of the standard normal distribution.
///
/// shape   E...
/// dtype   T: a floating type
/// diff    none
/// errors  E051 not a key, E052 a batch of keys, E054 T is not floating
/// source  JAX random.normal: sqrt(2) erf_inv of a uniform number between -1 and 1
template <element T, extent... E, one_key K> constexpr auto normal(K const& key) {
  using R = array<T, E...>;
  constexpr bool ok = detail::require_real<K, T>();
  if constexpr (!ok) return R();
  else return detail::normal_of<R>(key, R::type);
}
/// The same in x's shape and element type, also of named sizes.
template <one_key K, any_array A> constexpr auto normal_like(K const& key, A const& x) {
  constexpr bool ok = detail::require_real<K, typename A::value_type>();
  if constexpr (!ok) return x;
  else return detail::normal_of<A>(key, numpy::to_handle(x).type());
}

namespace detail {
template <class R> struct truths_for {
  static constexpr tensor_type value = R::type.with(dtype::boolean);
};
template <class Q, class T> struct numbers_for {
  static constexpr tensor_type value = Q::type.with(dtype_of<T>);
};
template <class R, class P> constexpr auto bernoulli_in(prng_key const& key, tensor_type const& t, P const& p) {
  using T = typename R::value_type;
  using truths = array_of<truths_for<R>>;
  auto below = [&]<class Q>(drawn_part const& at) {
    return Q(less(unit<array_of<numbers_for<Q, T>>>(key, at), bound<T>(p)));
  };
  if constexpr (any_array<P>) return below.template operator()<truths>(t);
  else return drawn<truths>(key, t, below);
}
}  // namespace detail

/// true with probability p, bool.
///
/// shape   E...; without E the shape of p
/// dtype   drawn in the element type of p: f64 for a C++ double, f32 for a float. In f32 a probability is a multiple of
///         2^-23
/// diff    none
/// errors  E051 not a key, E052 a batch of keys, E054 p is an array of integers
/// source  JAX random.bernoulli
template <extent... E, one_key K, class P = float> requires(numpy::operand<P>)
constexpr auto bernoulli(K const& key, P const& p = 0.5f) {
  if constexpr (any_array<P>) {
    using T = typename P::value_type;
    constexpr bool ok = detail::require_real<K, T>();
    if constexpr (!ok) return array<bool, E...>();
    else if constexpr (sizeof...(E) == 0) return detail::bernoulli_in<P>(key, numpy::to_handle(p).type(), p);
    else return detail::bernoulli_in<array<T, E...>>(key, array<T, E...>::type, p);
  } else {
    constexpr bool ok = detail::require_key<K>();
    if constexpr (!ok) return array<bool, E...>();
    else {
      using R = array<std::conditional_t<std::is_same_v<P, double>, double, float>, E...>;
      return detail::bernoulli_in<R>(key, R::type, p);
    }
  }
}

namespace detail {

/// Lower and upper end of randint as words: a start, and how many values (0: all 2^32).
template <class T, class L, class H> constexpr auto span_of(L const& low, H const& high) {
  if constexpr (!any_array<L> && !any_array<H>) {
    constexpr std::int64_t least = std::numeric_limits<T>::lowest(), most = std::numeric_limits<T>::max();
    auto within = [](std::int64_t v, std::int64_t top) { return v < least ? least : v > top ? top : v; };
    std::int64_t a = within(std::int64_t(low), most), b = within(std::int64_t(high), most + 1);
    return std::pair{std::uint32_t(a), std::uint32_t(b > a ? b - a : 1)};
  } else {
    auto a = bound<T>(low);
    auto b = bound<T>(high);
    auto first = bound<std::uint32_t>(a);
    auto n = where(less(a, b), bound<std::uint32_t>(b) - first, array<std::uint32_t>(1u));
    return std::pair{first, n};
  }
}

template <class T, extent... E, class L, class H>
constexpr auto wide_randint(prng_key const& key, L const& low, H const& high) {
  using whole = array<std::uint64_t>;
  auto [upper, lower] = split(key);
  auto bound_of = [](auto const& x) {
    using limits = std::numeric_limits<T>;
    if constexpr (any_array<decltype(x)>) return astype<T>(x);
    else if constexpr (!std::is_integral_v<std::remove_cvref_t<decltype(x)>>) return array<T>(T(x));
    else return array<T>(std::in_range<T>(x) ? T(x) : x < 0 ? limits::lowest() : limits::max());  // as in span_of
  };
  auto a = bound_of(low);
  auto b = bound_of(high);
  auto first = astype<std::uint64_t>(a);
  auto n = where(less(a, b), astype<std::uint64_t>(b) - first, whole(1));
  auto root = rem(whole(std::uint64_t(1) << 32), n), weight = rem(root * root, n);
  auto offset = rem(rem(wide_bits<E...>(upper), n) * weight + rem(wide_bits<E...>(lower), n), n);
  return array<T, E...>(astype<T>(first + offset));
}

// 2^32 modulo n, the weight of the upper word.
template <class N> constexpr auto weight_of(N const& n) {
  if constexpr (any_array<N>) {
    auto half = rem(array<std::uint32_t>(0x10000u), n);
    return rem(half * half, n);
  } else {
    std::uint32_t half = n == 0 ? 0 : 0x10000u % n;
    return n == 0 ? 0u : half * half % n;
  }
}

}  // namespace detail

/// Whole numbers from low on, below high; low where high is not above it.
///
/// shape   E...; low and high, numbers or integer arrays, broadcast to it
/// dtype   T: an integer type
/// diff    none
/// errors  E051 not a key, E052 a batch of keys, E054 another element type
/// source  JAX random.randint: twice as many random bits as T has, 64 at least, modulo the number of values
template <element T, extent... E, one_key K, class L, class H> requires(numpy::operand<L> && numpy::operand<H>)
constexpr auto randint(K const& key, L const& low, H const& high) {
  constexpr dtype d = dtype_of<T>;
  constexpr bool one = detail::require_key<K>(), fits = is_integer(d);
  if constexpr (one && !fits) message::fail<message::E054_no_such_draw<T>>();
  if constexpr (!one || !fits) return array<T, E...>();
  else if constexpr (bytes_of(d) == 8) return detail::wide_randint<T, E...>(key, low, high);
  else {
    auto [upper_key, lower_key] = split(key);
    auto upper = bits<std::uint32_t, E...>(upper_key), lower = bits<std::uint32_t, E...>(lower_key);
    auto [first, n] = detail::span_of<T>(low, high);
    auto offset = rem(rem(upper, n) * detail::weight_of(n) + rem(lower, n), n);
    return array<T, E...>(astype<T>(offset + first));
  }
}

// Shapes are not taken as arguments.
#define ETNA_REFUSE_SHAPE(NAME, INSTEAD)                                                                   \
  template <class..., any_keys K, class... More>                                                           \
  ETNA_REFUSAL(E036_axes_are_template_arguments, "E036: the shape is a template argument; write " INSTEAD, \
               NAME(K const&, std::initializer_list<int>, More const&...))
#define ETNA_REFUSE_BEHIND_KEY(NAME, INSTEAD)                                                              \
  ETNA_REFUSE_SHAPE(NAME, INSTEAD);                                                                        \
  template <class..., any_keys K, message::axis_number W, class... More>                                   \
  ETNA_REFUSAL(E036_axes_are_template_arguments, "E036: the shape is a template argument; write " INSTEAD, \
               NAME(K const&, W const&, More const&...))
ETNA_REFUSE_BEHIND_KEY(bits, "bits<std::uint32_t, 3, 4>(key)");
ETNA_REFUSE_BEHIND_KEY(normal, "normal<float, 3, 4>(key)");
ETNA_REFUSE_SHAPE(uniform, "uniform<float, 3, 4>(key)");
ETNA_REFUSE_SHAPE(bernoulli, "bernoulli<3, 4>(key)");
ETNA_REFUSE_SHAPE(randint, "randint<int, 3, 4>(key, low, high)");

ETNA_DRAW_NEEDS_KEY(bits, "bits<std::uint32_t, 3>(key)");
ETNA_DRAW_NEEDS_KEY(uniform, "uniform<float, 3>(key)");
ETNA_NEEDS_KEY(uniform_like, "uniform_like(key, x)");
ETNA_DRAW_NEEDS_KEY(normal, "normal<float, 3>(key)");
ETNA_NEEDS_KEY(normal_like, "normal_like(key, x)");
ETNA_NEEDS_KEY(bernoulli, "bernoulli<3>(key, p)");
ETNA_DRAW_NEEDS_KEY(randint, "randint<int, 3>(key, low, high)");

}  // namespace etna::random
