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
  else
    return drawn<R>(key, R::type, [&]<class Q>(drawn_part const& at) { return Q(f(uniform_in<Q>(key, at, low, 1))); });
}
/// The least number above 0 that keeps all its digits, and half the distance from 1 to the next number.
template <class T> inline constexpr T tiny = std::numeric_limits<T>::min();
template <class T> inline constexpr T below_one = std::numeric_limits<T>::epsilon() / 2;

inline constexpr auto gumbel_of = [](auto const& u) { return -log(-log(u)); };

/// The number next to x in the direction of y, in T.
template <class T> constexpr T next_to(T x, bool up) {
  using U = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                               std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  if (!(x - x == 0)) return x;
  if (x == 0) return up ? std::numeric_limits<T>::denorm_min() : T(-std::numeric_limits<T>::denorm_min());
  return std::bit_cast<T>(U(std::bit_cast<U>(x) + ((x > 0) == up ? U(1) : U(-1))));
}

/// next_to of a number, and of the elements of an array, where it is found by rounding.
///
/// source  Rump, Zimmermann, Boldo and Melquiond, "Computing predecessor and successor in rounding to nearest", BIT 49
/// (2009)
template <class V> constexpr auto beside(V const& v, bool up) {
  if constexpr (!any_array<V>) return next_to(v, up);
  else {
    using T = typename V::value_type;
    constexpr T u = std::numeric_limits<T>::epsilon() / 2;
    auto x = stop_gradient(v);
    auto step = abs(x) * (u * (1 + 2 * u)) + std::numeric_limits<T>::denorm_min();
    if (up) return where(isfinite(x), x + step, x);
    return where(isfinite(x), x - step, x);
  }
}

}  // namespace detail

/// Numbers of the normal distribution cut to (low, high).
///
/// shape   E...; low and high, numbers or arrays, broadcast to it
/// dtype   T: float or double
/// diff    with respect to low and high, but for the cut itself
/// errors  E051 not a key, E052 a batch of keys, E054 T is not floating
/// source  JAX random.truncated_normal
template <element T, extent... E, one_key K, numpy::operand L, numpy::operand H>
constexpr auto truncated_normal(K const& key, L const& low, H const& high) {
  using R = array<T, E...>;
  constexpr bool ok = detail::require_real<K, T>();
  if constexpr (!ok) return R();
  else {
    constexpr T root = T(1.4142135623730951);
    auto from = erf(numpy::as_array<T>(low) / root);
    auto to = erf(numpy::as_array<T>(high) / root);
    auto cut = [&]<class Q>(detail::drawn_part const& at) {
      auto x = erf_inv(detail::uniform_in<Q>(key, at, from, to)) * root;
      return clip(x, detail::beside(numpy::parameter<T>(low), true), detail::beside(numpy::parameter<T>(high), false));
    };
    if constexpr (any_array<L> || any_array<H>) return cut.template operator()<R>(R::type);
    else return detail::drawn<R>(key, R::type, cut);
  }
}

/// Numbers of the exponential distribution of rate 1.
///
/// errors  E051 not a key, E052 a batch of keys, E054 T is not floating
/// source  JAX random.exponential: -log(1 - u)
template <element T, extent... E, one_key K> constexpr auto exponential(K const& key) {
  return detail::drawn_by<T, E...>(key, T(0), [](auto const& u) { return -log1p(-u); });
}
/// Numbers of Gumbel's distribution.
///
/// source  JAX random.gumbel: -log(-log(u))
template <element T, extent... E, one_key K> constexpr auto gumbel(K const& key) {
  return detail::drawn_by<T, E...>(key, detail::tiny<T>, detail::gumbel_of);
}
/// Numbers of Laplace's distribution.
///
/// source  JAX random.laplace
template <element T, extent... E, one_key K> constexpr auto laplace(K const& key) {
  return detail::drawn_by<T, E...>(key, detail::below_one<T> - 1,
                                   [](auto const& u) { return sign(u) * log1p(-abs(u)); });
}
/// Numbers of the logistic distribution.
///
/// source  JAX random.logistic: log(u / (1 - u))
template <element T, extent... E, one_key K> constexpr auto logistic(K const& key) {
  return detail::drawn_by<T, E...>(key, detail::tiny<T>, [](auto const& u) { return log(u) - log1p(-u); });
}
/// Numbers of Cauchy's distribution.
///
/// source  JAX random.cauchy: tan(pi (u - 1/2))
template <element T, extent... E, one_key K> constexpr auto cauchy(K const& key) {
  return detail::drawn_by<T, E...>(key, std::numeric_limits<T>::epsilon(), [](auto const& u) {
    auto a = (u - 0.5) * T(3.141592653589793);
    return sin(a) / cos(a);
  });
}
/// -1 or 1, equally likely.
///
/// dtype   T: any element type with a sign
/// source  JAX random.rademacher
template <element T, extent... E, one_key K> constexpr auto rademacher(K const& key) {
  return astype<T>(bernoulli<E...>(key)) * T(2) - T(1);
}

/// A class for each example: index i along the axis with probability softmax(logits)[i].
///
/// shape   logits [b, c] -> [b]
/// dtype   i32
/// diff    none
/// errors  E051 not a key, E052 a batch of keys, E054 logits of integers, E005 axis out of range
/// source  JAX random.categorical: the largest of logits + gumbel
template <int Axis = -1, one_key K, any_array A> constexpr auto categorical(K const& key, A const& logits) {
  constexpr bool ok = detail::require_real<K, typename A::value_type>();
  if constexpr (!ok) return argmax<Axis>(logits);
  else
    return argmax<Axis>(logits + detail::gumbel_of(uniform_like(key, logits, detail::tiny<typename A::value_type>, 1)));
}

// Shapes are not taken as arguments.
ETNA_REFUSE_SHAPE(truncated_normal, "truncated_normal<float, 3, 4>(key, low, high)");
ETNA_REFUSE_BEHIND_KEY(exponential, "exponential<float, 3, 4>(key)");
ETNA_REFUSE_BEHIND_KEY(gumbel, "gumbel<float, 3, 4>(key)");
ETNA_REFUSE_BEHIND_KEY(laplace, "laplace<float, 3, 4>(key)");
ETNA_REFUSE_BEHIND_KEY(logistic, "logistic<float, 3, 4>(key)");
ETNA_REFUSE_BEHIND_KEY(cauchy, "cauchy<float, 3, 4>(key)");
ETNA_REFUSE_BEHIND_KEY(rademacher, "rademacher<float, 3, 4>(key)");

ETNA_DRAW_NEEDS_KEY(exponential, "exponential<float, 3>(key)");
ETNA_DRAW_NEEDS_KEY(gumbel, "gumbel<float, 3>(key)");
ETNA_DRAW_NEEDS_KEY(laplace, "laplace<float, 3>(key)");
ETNA_DRAW_NEEDS_KEY(logistic, "logistic<float, 3>(key)");
ETNA_DRAW_NEEDS_KEY(cauchy, "cauchy<float, 3>(key)");
ETNA_DRAW_NEEDS_KEY(rademacher, "rademacher<float, 3>(key)");
ETNA_DRAW_NEEDS_KEY(truncated_normal, "truncated_normal<float, 3>(key, low, high)");
ETNA_NEEDS_KEY(categorical, "categorical(key, logits)");

}  // namespace etna::random
