// SPDX-License-Identifier: BSD-3-Clause
// x^y as 2^(y log2 x), the exponent in two words: what is a number of the type, as 7^2, comes out as it.
// Coefficients: test/data/polynomials.py; largest errors: docs/accuracy.md. Read next: circular.hpp.
#pragma once
#include "logarithm.hpp"

namespace etna::math::host {

/// a b, and c + a for |c| > |a|, of two words, of which the second is not made as small as it could be.
template <class T> ETNA_FN_INLINE double_word<T> product(double_word<T> const& a, double_word<T> const& b) {
  auto p = two_product(a.hi, b.hi);
  return {p.hi, mad(a.hi, b.lo, mad(a.lo, b.hi, p.lo))};
}
template <class T> ETNA_FN_INLINE double_word<T> added(lane_of<T> c_hi, lane_of<T> c_lo, double_word<T> const& a) {
  auto s = fast_two_sum(T(c_hi), a.hi);
  return {s.hi, s.lo + (a.lo + T(c_lo))};
}

/// How log2 and 2^x are computed to two words: with s = f / (2 + f) and z = s^2, log2(1 + f) is s P(z), the first
/// coefficients of P in two words.
template <class L> struct power_terms;
template <> struct power_terms<float> {
  static constexpr float least = 0x1.6a09e6p-1f, most = 160;  // 2^most is inf, 2^-most is 0
  static constexpr float log2_hi = 0x1.62e43p-1f, log2_lo = -0x1.05c61p-29f;
  static constexpr float first_hi = 0x1.715476p+1f, first_lo = 0x1.4ae0cp-25f;
  static constexpr float second_hi = 0x1.ec709ep-1f, second_lo = -0x1.e2fe02p-28f;
  template <class T> ETNA_FN_INLINE static double_word<T> rest(double_word<T> const& z) {
    auto c = sum_and_product(T(second_hi), z.hi, polynomial(z.hi, 0x1.277710p-1f, 0x1.a5bb3ap-2f, 0x1.59fe84p-2f));
    return {c.hi, c.lo + T(second_lo)};
  }
};
template <> struct power_terms<double> {
  static constexpr double least = 0x1.6a09e667f3bcdp-1, most = 1100;
  static constexpr double log2_hi = 0x1.62e42fefa39efp-1, log2_lo = 0x1.abc9e3b39803fp-56;
  static constexpr double first_hi = 0x1.71547652b82fep+1, first_lo = 0x1.777d0ffda0d24p-55;
  static constexpr double second_hi = 0x1.ec709dc3a03fdp-1, second_lo = 0x1.d27f05548af0cp-55;
  static constexpr double third_hi = 0x1.2776c50ef9bfep-1, third_lo = 0x1.e4b29ccc535d4p-55;
  template <class T> ETNA_FN_INLINE static double_word<T> rest(double_word<T> const& z) {
    T zz = z.hi * z.hi;
    T even = polynomial(zz, 0x1.a61762a7ae38dp-2, 0x1.0c9a8502f473cp-2, 0x1.8a06258e163dbp-3, 0x1.5ffbe9a27d164p-3);
    T odd = polynomial(zz, 0x1.484b13d732d22p-2, 0x1.c68f03d6c307ap-3, 0x1.593e8ef2dd6d0p-3);
    auto c = sum_and_product(T(third_hi), z.hi, mad(odd, z.hi, even));
    return added(second_hi, second_lo, product(z, {c.hi, c.lo + T(third_lo)}));
  }
};

/// log2(x) + more of a plain x.
template <class T> ETNA_FN_INLINE double_word<T> log2_in_two(T const& x, T const& more) {
  using E = power_terms<lane_of<T>>;
  auto [k, exponent] = over_powers(x, E::least);
  T f = number(bits(x) - exponent) - T(1);
  auto d = fast_two_sum(T(2), f);
  T inverse = T(1) / d.hi, s = f * inverse;
  auto p = two_product(s, d.hi);
  double_word<T> ratio{s, nmad(s, d.lo, T((f - p.hi) - p.lo)) * inverse};
  auto z = two_product(s, s);
  z.lo = mad(T(s + s), ratio.lo, z.lo);
  auto l = product(ratio, added(E::first_hi, E::first_lo, product(z, E::rest(z))));
  auto y = fast_two_sum(T(k + more), l.hi);  // |k| >= 1 > |l|, or k is 0
  return fast_two_sum(y.hi, T(y.lo + l.lo));
}

/// 2^(x.hi + x.lo), |x.hi| at most `most`.
template <class T> ETNA_FN_INLINE T exp2_of_two(double_word<T> const& x) {
  using L = lane_of<T>;
  using E = power_terms<L>;
  T t = x.hi + T(magic_power<L>);
  auto part = fast_two_sum(T(x.hi - (t - T(magic_power<L>))), x.lo);
  auto r = two_product(part.hi, T(E::log2_hi));
  r.lo = mad(part.lo, T(E::log2_hi), mad(part.hi, T(E::log2_lo), r.lo));
  auto one = fast_two_sum(T(1), r.hi);
  T rr = r.hi * r.hi;
  return scaled(T(one.hi + (one.lo + mad(exp_terms<L>::rest(r.hi, rr), rr, mad(r.hi, r.lo, r.lo)))), t);
}

/// y log2 x.
template <class T> ETNA_FN_INLINE double_word<T> exponent_of(double_word<T> const& log, T const& y) {
  auto p = two_product(log.hi, y);
  return {p.hi, mad(log.lo, y, p.lo)};
}

// Of all but positive, normal, finite x and such powers (C23 F.10.4.4).
struct pow_far {
  template <class T> static T of(T const& x, T const& y) {
    using L = lane_of<T>;
    using E = power_terms<L>;
    using limits = std::numeric_limits<L>;
    using std::trunc;
    constexpr int up = floating<L>::digits + 1;
    constexpr L inf = limits::infinity();
    T a = abs(x);
    auto small = a < T(limits::min());
    T plain = select(small, T(a * T(L(std::int64_t(1) << up))), a);
    // beyond 2^70 the sign of the power alone counts
    T power = clamped(y, L(-0x1p70), L(0x1p70));
    auto e = exponent_of(log2_in_two(plain, select(small, T(L(-up)), T(0))), power);
    auto fits = abs(e.hi) <= T(E::most);
    T r = exp2_of_two(double_word<T>{clamped(e.hi, -E::most, E::most), select(fits, e.lo, T(0))});
    T grown = select(y < T(0), T(0), T(inf)), shrunk = select(y < T(0), T(inf), T(0));
    r = select(a == T(0), shrunk, select(a == T(inf), grown, select(a == T(1), T(1), r)));
    T half = y * T(L(0.5));
    auto whole = trunc(y) == y;
    T odd = select(whole, select(trunc(half) == half, T(0), T(1)), T(0));
    r = with_sign(r, select(odd == T(1), x, T(1)));
    r = select((x < T(0)) & (x > T(-inf)) & !whole, T(limits::quiet_NaN()), r);
    r = select((x == x) & (y == y), r, T(x + y));
    return select((y == T(0)) | (x == T(1)), T(1), r);
  }
};
/// x^y.
template <class T> ETNA_FN_INLINE T pow(T const& x, T const& y) {
  auto e = exponent_of(log2_in_two(x, T(0)), y);
  T r = exp2_of_two(e);
  return else_far<pow_far>(is_plain(x) & (abs(e.hi) <= T(power_terms<lane_of<T>>::most)), r, x, y);
}

}  // namespace etna::math::host
