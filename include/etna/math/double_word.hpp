// SPDX-License-Identifier: BSD-3-Clause
// Sums of two numbers that hold twice the digits of one: the second is at most half a unit in the last place of the
// first. Read next: exponential.hpp.
//
// source  Joldes, Muller, Popescu, "Tight and rigorous error bounds for basic building blocks of double-word
//         arithmetic"
#pragma once
#include "lane.hpp"

namespace etna::math {

template <class T> struct double_word {
  T hi, lo;
};

/// a + b exactly; of the second |a| >= |b|, or a is 0.
template <class T> ETNA_FN_INLINE double_word<T> two_sum(T const& a, T const& b) {
  T s = a + b, other = s - a;
  return {s, (a - (s - other)) + (b - other)};
}
template <class T> ETNA_FN_INLINE double_word<T> fast_two_sum(T const& a, T const& b) {
  T s = a + b;
  return {s, b - (s - a)};
}

/// a + n b exactly, if n b is exact or products are fused, and |a| >= |n b|; n b + a likewise, if |n b| >= |a|.
template <class T> ETNA_FN_INLINE double_word<T> sum_and_product(T const& a, T const& n, T const& b) {
  T s = mad(n, b, a);
  return {s, msub(n, b, T(s - a))};
}
template <class T> ETNA_FN_INLINE double_word<T> product_and_sum(T const& n, T const& b, T const& a) {
  T s = mad(n, b, a);
  return {s, a - nmad(n, b, s)};
}

/// The first half of x's digits.
template <class T> ETNA_FN_INLINE T first_half(T const& x) {
  using L = lane_of<T>;
  constexpr integer_for<L> mask = sizeof(L) == 4 ? integer_for<L>(-1) << 12 : integer_for<L>(-1) << 27;
  return number(bits(x) & decltype(bits(x))(mask));
}

/// a b exactly with a fused product, else to some units of the last digit of two words.
template <class T> ETNA_FN_INLINE double_word<T> two_product(T const& a, T const& b) {
  T p = a * b;
  if constexpr (fuses) return {p, msub(a, b, p)};
  else {
    T ah = first_half(a), al = a - ah, bh = first_half(b), bl = b - bh;
    return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
  }
}

/// c - a b rounded once, or nearly so, b having half as many digits as others.
template <class T> ETNA_FN_INLINE T less_product(T const& c, T const& a, T const& b) {
  if constexpr (fuses) return nmad(a, b, c);
  else {
    T ah = first_half(a);
    return (c - ah * b) - (a - ah) * b;
  }
}
/// 1 - a b for b about 1 / a.
template <class T> ETNA_FN_INLINE T one_less_product(T const& a, T const& b) {
  if constexpr (fuses) return nmad(a, b, T(1));
  else {
    auto p = two_product(a, b);
    return (T(1) - p.hi) - p.lo;
  }
}

// Of two words each; the second of the result is not made as small as it could be.
/// a b.
template <class T> ETNA_FN_INLINE double_word<T> product(double_word<T> const& a, double_word<T> const& b) {
  auto p = two_product(a.hi, b.hi);
  return {p.hi, mad(a.hi, b.lo, mad(a.lo, b.hi, p.lo))};
}
/// a + b for |a| >= |b|.
template <class T> ETNA_FN_INLINE double_word<T> added(double_word<T> const& a, double_word<T> const& b) {
  auto s = fast_two_sum(a.hi, b.hi);
  return {s.hi, s.lo + (a.lo + b.lo)};
}
/// n / d.
template <class T> ETNA_FN_INLINE double_word<T> quotient(double_word<T> const& n, double_word<T> const& d) {
  T inverse = T(1) / d.hi, q = n.hi * inverse;
  auto p = two_product(q, d.hi);
  return {q, nmad(q, d.lo, T(((n.hi - p.hi) - p.lo) + n.lo)) * inverse};
}

}  // namespace etna::math
