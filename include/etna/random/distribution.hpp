// SPDX-License-Identifier: BSD-3-Clause
// Draws from other distributions, made of uniform ones as JAX makes them. Read next: permutation.hpp.
#pragma once
#include "draw.hpp"

namespace etna::random {

namespace detail {

/// A function of a uniform number between `low` and 1, with T's element type.
template <class T, extent... E, class K, class F> constexpr auto drawn_by(K const& key, T low, F f) {
  using R = array<T, E...>;
  constexpr bool ok = require_real<K, T>();
  if constexpr (!ok) return R();
  else return R(f(uniform_in<R>(key, R::type, low, 1)));
}
/// The least number above 0 that keeps all its digits, and half the distance from 1 to the next number.
template <class T> inline constexpr T tiny = std::numeric_limits<T>::min();
template <class T> inline constexpr T below_one = std::numeric_limits<T>::epsilon() / 2;

inline constexpr auto gumbel_of = [](auto const& u) { return -log(-log(u)); };

/// The number next to x in the direction of y, in T.
template <class T> constexpr T next_to(T x, bool up) {
  using U = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  if (!(x - x == 0)) return x;
  if (x == 0) return up ? std::numeric_limits<T>::denorm_min() : -std::numeric_limits<T>::denorm_min();
  return std::bit_cast<T>(U(std::bit_cast<U>(x) + ((x > 0) == up ? U(1) : U(-1))));
}

}  // namespace detail

/// Numbers of the normal distribution cut to (low, high), two C++ numbers.
///
/// shape   E...
/// dtype   T: float or double
/// diff    none
/// errors  E051 not a key, E052 a batch of keys, E054 T is not floating
/// source  JAX random.truncated_normal
template <element T, extent... E, class K> constexpr auto truncated_normal(K const& key, double low, double high) {
  using R = array<T, E...>;
  constexpr bool ok = detail::require_real<K, T>();
  if constexpr (!ok) return R();
  else {
    constexpr T root = T(1.4142135623730951);
    auto from = erf(array<T>(T(low)) / root), to = erf(array<T>(T(high)) / root);
    auto x = erf_inv(detail::uniform_in<R>(key, R::type, from, to)) * root;
    return clip(x, detail::next_to(T(low), true), detail::next_to(T(high), false));
  }
}

/// Numbers of the exponential distribution of rate 1.
///
/// errors  E051 not a key, E052 a batch of keys, E054 T is not floating
/// source  JAX random.exponential: -log(1 - u)
template <element T, extent... E, class K> constexpr auto exponential(K const& key) {
  return detail::drawn_by<T, E...>(key, T(0), [](auto const& u) { return -log1p(-u); });
}
/// Numbers of Gumbel's distribution.
///
/// source  JAX random.gumbel: -log(-log(u))
template <element T, extent... E, class K> constexpr auto gumbel(K const& key) {
  return detail::drawn_by<T, E...>(key, detail::tiny<T>, detail::gumbel_of);
}
/// Numbers of Laplace's distribution.
///
/// source  JAX random.laplace
template <element T, extent... E, class K> constexpr auto laplace(K const& key) {
  return detail::drawn_by<T, E...>(key, detail::below_one<T> - 1, [](auto const& u) { return sign(u) * log1p(-abs(u)); });
}
/// Numbers of the logistic distribution.
///
/// source  JAX random.logistic: log(u / (1 - u))
template <element T, extent... E, class K> constexpr auto logistic(K const& key) {
  return detail::drawn_by<T, E...>(key, detail::tiny<T>, [](auto const& u) { return log(u) - log1p(-u); });
}
/// Numbers of Cauchy's distribution.
///
/// source  JAX random.cauchy: tan(pi (u - 1/2))
template <element T, extent... E, class K> constexpr auto cauchy(K const& key) {
  return detail::drawn_by<T, E...>(key, std::numeric_limits<T>::epsilon(), [](auto const& u) {
    auto a = (u - 0.5) * T(3.141592653589793);
    return sin(a) / cos(a);
  });
}
/// -1 or 1, equally likely.
///
/// dtype   T: any element type with a sign
/// source  JAX random.rademacher
template <element T, extent... E, class K> constexpr auto rademacher(K const& key) {
  return astype<T>(bernoulli<E...>(key)) * T(2) - T(1);
}

/// A class for each example: index i along the axis with probability softmax(logits)[i].
///
/// shape   logits [b, c] -> [b]
/// dtype   i32
/// diff    none
/// errors  E051 not a key, E052 a batch of keys, E054 logits of integers, E005 axis out of range
/// source  JAX random.categorical: the largest of logits + gumbel
template <int Axis = -1, class K, any_array A> constexpr auto categorical(K const& key, A const& logits) {
  constexpr bool ok = detail::require_real<K, typename A::value_type>();
  if constexpr (!ok) return argmax<Axis>(logits);
  else return argmax<Axis>(logits + detail::gumbel_of(uniform_like(key, logits, detail::tiny<typename A::value_type>, 1)));
}

}  // namespace etna::random
