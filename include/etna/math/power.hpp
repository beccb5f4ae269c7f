// SPDX-License-Identifier: BSD-3-Clause
// x^y as 2^(y log2 x), the exponent in two words: what is a number of the type, as 7^2, comes out as it.
// Coefficients: test/data/polynomials.py; largest errors: docs/accuracy.md. Read next: logaddexp.hpp.
#pragma once
#include "logarithm.hpp"

namespace etna::math::host {

/// How log2 and 2^x are computed to two words: with s = f / (2 + f) and z = s^2, log2(1 + f) is s P(z), the first
/// coefficients of P in two words.
struct power_terms {
  static constexpr double most = 1100;  // 2^most is inf, 2^-most is 0
  static constexpr double log2_hi = 0x1.62e42fefa39efp-1, log2_lo = 0x1.abc9e3b39803fp-56;
  static constexpr double first_hi = 0x1.71547652b82fep+1, first_lo = 0x1.777d0ffda0d24p-55;
  static constexpr double second_hi = 0x1.ec709dc3a03fdp-1, second_lo = 0x1.d27f05548af0cp-55;
  static constexpr double third_hi = 0x1.2776c50ef9bfep-1, third_lo = 0x1.e4b29ccc535d4p-55;
  template <class T> ETNA_FN_INLINE static double_word<T> rest(double_word<T> const& z) {
    T zz = z.hi * z.hi;
    T even = polynomial(zz, 0x1.a61762a7ae38dp-2, 0x1.0c9a8502f473cp-2, 0x1.8a06258e162d2p-3, 0x1.5ffbe9a27276fp-3);
    T odd = polynomial(zz, 0x1.484b13d732d22p-2, 0x1.c68f03d6c3080p-3, 0x1.593e8ef2debb0p-3);
    auto c = sum_and_product(T(third_hi), z.hi, mad(odd, z.hi, even));
    return added(double_word<T>{T(second_hi), T(second_lo)}, product(z, {c.hi, c.lo + T(third_lo)}));
  }
};

/// log2(x) + more of a plain x.
template <class T> ETNA_FN_INLINE double_word<T> log2_in_two(T const& x, T const& more) {
  using E = power_terms;
  auto [k, exponent] = over_powers(x);
  T f = number(bits(x) - exponent) - T(1);
  auto d = fast_two_sum(T(2), f);
  auto ratio = quotient(double_word<T>{f, no_more<T>()}, d);
  T s = ratio.hi;
  auto z = two_product(s, s);
  z.lo = mad(T(s + s), ratio.lo, z.lo);
  auto l = product(ratio, added(double_word<T>{T(E::first_hi), T(E::first_lo)}, product(z, E::rest(z))));
  auto y = fast_two_sum(T(k + more), l.hi);  // |k| >= 1 > |l|, or k is 0
  return fast_two_sum(y.hi, T(y.lo + l.lo));
}

/// 2^(x.hi + x.lo), |x.hi| at most `most`.
template <class T> ETNA_FN_INLINE T exp2_of_two(double_word<T> const& x) {
  using L = lane_of<T>;
  using E = power_terms;
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

/// Powers of C23 F.10.4.4 for which |x|^y alone, which is r, is not the answer.
template <class T> T power_of_special(T const& x, T const& y, T r) {
  using L = lane_of<T>;
  using limits = std::numeric_limits<L>;
  using std::trunc;
  constexpr L inf = limits::infinity();
  T a = abs(x), half = y * T(L(0.5)), nothing = T(limits::quiet_NaN());
  auto whole = trunc(y) == y;
  auto odd = whole & (trunc(half) != half);
  auto finite = (a > T(0)) & (a < T(inf)) & (abs(y) < T(inf));
  T y_of_finite = select((x < T(0)) & !whole, nothing, select(odd, with_sign(r, x), r));
  if (all(finite)) return y_of_finite;
  T grown = select(y < T(0), T(0), T(inf)), shrunk = select(y < T(0), T(inf), T(0));
  T of_infinite_y = select(a < T(1), shrunk, select(a == T(1), T(1), grown));
  T of_infinite_x = select(odd, with_sign(select(a == T(0), shrunk, grown), x), select(a == T(0), shrunk, grown));
  r = select(finite, y_of_finite, select(abs(y) == T(inf), of_infinite_y, of_infinite_x));
  r = select((x == x) & (y == y), r, nothing);
  return select((y == T(0)) | (x == T(1)), T(1), r);
}

// f32: to some 29 bits in f64, where all x > 0 are normal.
struct power_in_f64 {
  template <class T> ETNA_FN_INLINE static T of(T const& x, T const& y) {
    auto [k, exponent] = over_powers(x);
    T f = number(bits(x) - exponent) - T(1), s = f / (f + T(2));
    // two chains each, so that one number waits half as long
    T z = s * s, zz = z * z;
    T even = polynomial(zz, 0x1.71547652bef3ep+1, 0x1.27778114ce1a2p-1, 0x1.5cf2add57262dp-2);
    T p = mad(polynomial(zz, 0x1.ec709d113d8adp-1, 0x1.a58cfb073976ap-2), z, even);
    T e = clamped(T(mad(p, s, k) * y), -160, 160), t = e + T(magic_power<double>);
    T q = e - (t - T(magic_power<double>)), qq = q * q;
    even = polynomial(qq, 0x1.00000002633f7p+0, 0x1.ebfbdad990a5bp-3, 0x1.3b2dbcfc15960p-7, 0x1.41d2f49dea8ddp-13);
    T odd = polynomial(qq, 0x1.62e430c86cabcp-1, 0x1.c6aed406170b0p-5, 0x1.5f45c54adc1b0p-10);
    return mad(odd, q, even) * power_of_two(t);
  }
};
struct pow_far_f32 {
  template <class T> static T of(T const& x, T const& y, T const& r) { return power_of_special(x, y, r); }
};

// f64: |x| subnormal, and results that are inf or 0, are computed here.
struct pow_far_f64 {
  template <class T> static T of(T const& x, T const& y, T r, T const& exponent) {
    using E = power_terms;
    T a = abs(x);
    auto usable = (a >= T(0x1p-1022)) & (abs(exponent) <= T(E::most));
    if (!all(usable)) {
      auto small = a < T(0x1p-1022);
      auto log = log2_in_two(select(small, T(a * T(0x1p54)), a), select(small, T(-54), T(0)));
      auto e = exponent_of(log, clamped(y, -0x1p70, 0x1p70));  // beyond, its sign alone counts
      T low = select(abs(e.hi) <= T(E::most), e.lo, T(0));
      r = select(usable, r, exp2_of_two(double_word<T>{clamped(e.hi, -E::most, E::most), low}));
    }
    return power_of_special(x, y, r);
  }
};

/// x^y.
template <class T> ETNA_FN_INLINE T pow(T const& x, T const& y) {
  using L = lane_of<T>;
  using limits = std::numeric_limits<L>;
  T a = abs(x);
  if constexpr (sizeof(L) == 4) {
    T r = in_f64<power_in_f64>(a, y);
    auto plain = (x > T(0)) & (x <= T(limits::max())) & (abs(y) <= T(limits::max()));
    return else_far<pow_far_f32>(plain, r, x, y, r);
  } else {
    auto e = exponent_of(log2_in_two(a, no_more<T>()), y);
    T r = exp2_of_two(e);
    return else_far<pow_far_f64>(is_plain(x) & (abs(e.hi) <= T(power_terms::most)), r, x, y, r, e.hi);
  }
}

}  // namespace etna::math::host
