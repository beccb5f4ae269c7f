// SPDX-License-Identifier: BSD-3-Clause
// exp, exp2, expm1, logistic, and the hyperbolic functions. With x = n log 2 + r, |r| <= log(2) / 2, e^x is 2^n e^r,
// and e^r a polynomial. Coefficients: test/data/polynomials.py; largest errors: docs/accuracy.md. Read next:
// logarithm.hpp.
#pragma once
#include "double_word.hpp"

namespace etna::math::host {

/// How e^r is computed in a floating type: (e^r - 1 - r) / r^2, log 2 in two words of which n times the first is exact,
/// and where e^x is 0, e^x - 1 is -1, tanh is 1, and all is inf.
template <class L> struct exp_terms;
template <> struct exp_terms<float> {
  static constexpr float log2_e = 0x1.715476p+0f, log2_hi = 0x1.62e4p-1f, log2_lo = 0x1.7f7d1cp-20f,
                         log2 = 0x1.62e43p-1f;
  static constexpr float zero = -104, minus_one = -20, one = 10, infinite = 89;
  template <class T> ETNA_FN_INLINE static T rest(T const& r, T const&) {
    return polynomial(r, 0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558bp-5f, 0x1.123988p-7f, 0x1.6a4cb8p-10f);
  }
  // fitted for the relative error of e^r - 1
  template <class T> ETNA_FN_INLINE static T rest_m1(T const& r, T const&) {
    return polynomial(r, 0x1.fffffep-2f, 0x1.5554b4p-3f, 0x1.5556f2p-5f, 0x1.12254ep-7f, 0x1.6b9c76p-10f);
  }
};
template <> struct exp_terms<double> {
  static constexpr double log2_e = 0x1.71547652b82fep+0, log2_hi = 0x1.62e42feep-1, log2_lo = 0x1.a39ef35793c76p-33,
                          log2 = 0x1.62e42fefa39efp-1;
  static constexpr double zero = -746, minus_one = -40, one = 20, infinite = 710;
  // two chains, so that one number waits half as long
  template <class T> ETNA_FN_INLINE static T rest(T const& r, T const& rr) {
    T even = polynomial(rr, 0x1.0000000000005p-1, 0x1.555555555228ep-5, 0x1.6c16c17ee71f2p-10, 0x1.a019a74a87471p-16,
                        0x1.28a2067f05181p-22);
    T odd = polynomial(rr, 0x1.5555555555539p-3, 0x1.111111111900ep-7, 0x1.a01a0174fbc5bp-13, 0x1.71de882372904p-19,
                       0x1.ae6bae8c28464p-26);
    return mad(odd, r, even);
  }
  template <class T> ETNA_FN_INLINE static T rest_m1(T const& r, T const& rr) { return rest(r, rr); }
};

/// x from low to high; a NaN stays.
template <class T> ETNA_FN_INLINE T clamped(T const& x, lane_of<T> low, lane_of<T> high) {
  return max(min(x, T(high)), T(low));
}

/// x + low = n log 2 + r + lost, t = n + magic_power: what rounding took from r is in `lost`.
template <class T> struct by_log2 {
  T t, r, lost;
};
template <class T> ETNA_FN_INLINE by_log2<T> over_log2(T const& x, T const& low = no_more<T>()) {
  using L = lane_of<T>;
  using E = exp_terms<L>;
  T t = mad(x, T(E::log2_e), T(magic_power<L>)), n = t - T(magic_power<L>);
  T exact = nmad(n, T(E::log2_hi), x), r = nmad(n, T(E::log2_lo), exact) + low;
  return {t, r, low + nmad(n, T(E::log2_lo), T(exact - r))};
}

/// p 2^n for t = n + magic_power, n from -2 bias + 2 to 2 bias; rounded once more where it is subnormal.
template <class T> ETNA_FN_INLINE T scaled(T const& p, T const& t) {
  using L = lane_of<T>;
  auto n = bits(t) - bits(T(magic_power<L>));
#if defined(__AVX512F__)
  if constexpr (!scalar<T>) return ldexp(p, n);
#endif
  auto half = n >> 1, one = bits(T(1));
  return p * number((half << floating<L>::digits) + one) * number(((n - half) << floating<L>::digits) + one);
}

/// e^r for |r| <= log(2) / 2.
template <class T> ETNA_FN_INLINE T exp_near(T const& r) {
  using L = lane_of<T>;
  T rr = r * r;
  if constexpr (sizeof(L) == 4) return mad(mad(exp_terms<L>::rest(r, rr), r, T(1)), r, T(1));
  else return mad(exp_terms<L>::rest(r, rr), rr, r) + T(1);
}

template <class T> ETNA_FN_INLINE T exp(T const& x) {
  using E = exp_terms<lane_of<T>>;
  auto [t, r, lost] = over_log2(clamped(x, E::zero, E::infinite));
  return scaled(exp_near(r), t);
}

/// e^(x + low) of a small low, to some digits more than a word has: what rounding took from r is not lost.
template <class T> ETNA_FN_INLINE double_word<T> exp_of_sum(T const& x, T const& low) {
  using E = exp_terms<lane_of<T>>;
  auto [t, r, lost] = over_log2(clamped(x, E::zero, E::infinite), low);
  T rr = r * r, rest = mad(E::rest(r, rr), rr, lost);
  auto one = fast_two_sum(T(1), r);
  auto sum = fast_two_sum(one.hi, T(one.lo + rest));
  return {scaled(sum.hi, t), scaled(sum.lo, t)};
}

template <class T> ETNA_FN_INLINE T exp2(T const& x) {
  using L = lane_of<T>;
  constexpr L far = 2 * floating<L>::bias - floating<L>::digits / 2;  // 2^-far is 0
  T a = clamped(x, -far, floating<L>::bias + 2), t = a + T(magic_power<L>);
  return scaled(exp_near(T((a - (t - T(magic_power<L>))) * T(L(0.69314718055994530942)))), t);
}

/// e^r - 1 for |r| <= log(2) / 2. Two signs keep that of a zero: P r + 0 is not -0, nor is 1 - 2^n.
template <class T> ETNA_FN_INLINE T expm1_near(T const& r) {
  return mad(mad(exp_terms<lane_of<T>>::rest_m1(r, T(r * r)), r, T(0)), r, r);
}
/// (e^x - 1) / 2 to little more than its last digit: of e^x = 2^n e^r, with h = 2^n / 2, (h - 1/2) + h r exactly in two
/// words, and the small h (e^r - 1 - r). A zero loses its sign.
template <class T> ETNA_FN_INLINE T half_expm1(T const& x) {
  using L = lane_of<T>;
  auto [t, r, lost] = over_log2(x);
  T rest = mad(T(exp_terms<L>::rest_m1(r, T(r * r)) * r), r, lost);
  T h = power_of_two(T(t - T(1))), base = h - T(L(0.5));  // 2^n may be infinite
  T sum = mad(h, r, base), low = mad(h, r, T(base - sum));
  return sum + mad(h, rest, low);
}

template <class T> ETNA_FN_INLINE T expm1(T const& x) {
  using L = lane_of<T>;
  T a = clamped(x, exp_terms<L>::minus_one, exp_terms<L>::infinite);
  if constexpr (sizeof(L) == 4) {
    auto [t, r, lost] = over_log2(a);
    T half = power_of_two(T(t - T(1))), y = msub(half, expm1_near(r), T(T(L(0.5)) - half));
    return y + y;
  } else {
    T y = half_expm1(a);
    return with_sign(T(y + y), x);
  }
}

/// y = n / (d + lost) put right, where n / d was taken and `inverse` is about 1 / d.
template <class T>
ETNA_FN_INLINE T quotient_mended(T const& y, T const& n, T const& d, T const& lost, T const& inverse) {
  if constexpr (sizeof(lane_of<T>) == 4 && fuses) return nmad(T(lost * inverse), y, y);
  else if constexpr (fuses) return mad(nmad(y, lost, nmad(y, d, n)), inverse, y);
  else {
    auto p = two_product(y, d);
    return mad(nmad(y, lost, T((n - p.hi) - p.lo)), inverse, y);
  }
}

/// tanh(r) / r - 1 over s = r^2 for |r| <= 0.2685.
template <class T> ETNA_FN_INLINE T tanh_terms(T const& s) {
  if constexpr (sizeof(lane_of<T>) == 4) return polynomial(s, -0x1.5554f6p-2f, 0x1.10d208p-3f, -0x1.a23e92p-5f);
  else {
    T ss = s * s;
    T even =
        polynomial(ss, -0x1.5555555555455p-2, -0x1.ba1ba166d610ep-5, -0x1.22655b5d5602ap-7, -0x1.545c51fefc4a3p-10);
    T odd = polynomial(ss, 0x1.11111110e4ac6p-3, 0x1.664f236e44f26p-6, 0x1.d47e7a9493166p-9);
    return mad(odd, s, even);
  }
}
/// With |x| = n log(2) / 2 + r, p = 2^n and t = tanh r, tanh|x| is y / (y + 2 - 2 t), y = (p - 1) + (p + 1) t: what
/// rounding takes from a large y counts little, and where n is 0, the result is t. n is such that it becomes 1 at 0.267
/// (the error is greatest there), behind the power of two that tanh has passed, so r is from -0.08 to 0.267.
template <class T> ETNA_FN_INLINE T tanh(T const& x) {
  using L = lane_of<T>;
  using E = exp_terms<L>;
  T a = min(abs(x), T(E::one)), t = mad(T(a - T(L(0.09375))), T(2 * E::log2_e), T(magic_power<L>));
  T n = t - T(magic_power<L>), p = power_of_two(t), r;
  if constexpr (fuses) r = nmad(n, T(E::log2 / 2), a);  // in one word: its error counts n times, but tanh ever less
  else r = nmad(n, T(E::log2_lo / 2), nmad(n, T(E::log2_hi / 2), a));
  T s = r * r, tanh_r = mad(T(r * s), tanh_terms(s), r);
  T y = mad(T(p + T(1)), tanh_r, T(p - T(1)));
  return number(bits(T(y / (y + nmad(T(2), tanh_r, T(2))))) | sign_bit(x));
}

/// 1 / (1 + e^-x), as e^x / (1 + e^x) where x is negative: subnormal where the truth is.
template <class T> ETNA_FN_INLINE T logistic(T const& x) {
  auto below = x < T(0);
  T e = host::exp(minus_abs(x)), n = select(below, e, T(1)), d = e + T(1), y = n / d;
  return quotient_mended(y, n, d, T(e - (d - T(1))), select(below, T(T(1) - y), y));
}

/// e^|x| / 2, which is finite a little longer than e^|x|.
template <class T> ETNA_FN_INLINE T half_exp(T const& x) {
  auto [t, r, lost] = over_log2(min(abs(x), T(exp_terms<lane_of<T>>::infinite + 1)));
  return scaled(exp_near(r), T(t - T(1)));
}
template <class T> ETNA_FN_INLINE T cosh(T const& x) {
  T e = half_exp(x);
  return e + T(lane_of<T>(0.25)) / e;
}

/// sinh(x) / x for |x| <= 1, of x^2.
template <class T> ETNA_FN_INLINE T sinh_terms(T const& xx) {
  if constexpr (sizeof(lane_of<T>) == 4)
    return polynomial(xx, 0x1.555556p-3f, 0x1.1110ep-7f, 0x1.a022bcp-13f, 0x1.756c1ep-19f);
  else
    return polynomial(xx, 0x1.5555555555556p-3, 0x1.11111111110a6p-7, 0x1.a01a01a02899dp-13, 0x1.71de3a465b1eap-19,
                      0x1.ae64671b188bcp-26, 0x1.611a561db825cp-33, 0x1.b4c75aa291f93p-41);
}
template <class T> ETNA_FN_INLINE T sinh(T const& x) {
  T e = half_exp(x), xx = x * x, near = mad(mad(sinh_terms(xx), xx, T(0)), x, x);
  return select(abs(x) < T(1), near, with_sign(T(e - T(lane_of<T>(0.25)) / e), x));
}

}  // namespace etna::math::host
