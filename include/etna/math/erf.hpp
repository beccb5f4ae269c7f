// SPDX-License-Identifier: BSD-3-Clause
// erf and erfc. Up to 1, erf(x) is x + x P(x^2); beyond, erf is 1 - e^Q(x), and erfc is e^-x^2 times a function that
// falls like 1 / x. Coefficients: test/data/polynomials.py; largest errors: docs/accuracy.md. Read next: functions.hpp.
#pragma once
#include "exponential.hpp"

namespace etna::math::host {

/// `rest` is erf(x) / x - 1 of s = x^2, x up to 1; `log_erfc` is log(erfc(x)) of t = x - center, x from 1 on, as exact
/// as erf needs it. With u = 1 / (x + shift), e^(x^2) erfc(x) is u (first + v (second + v over(v))), v = middle - per u from -1 to 1,
/// x from 13/16 on. erf is 1 from `one` on, erfc 0 from `none` on.
template <class L> struct erf_terms;
template <> struct erf_terms<float> {
  static constexpr float one = 3.95f, none = 10.2f, center = 2;
  template <class T> ETNA_FN_INLINE static T rest(T const& s) {
    return polynomial(s, 0x1.06eba8p-3f, -0x1.81273ep-2f, 0x1.ce2ce6p-4f, -0x1.b7f71ap-6f, 0x1.53f222p-8f,
                      -0x1.a35130p-11f, 0x1.477102p-14f);
  }
  template <class T> ETNA_FN_INLINE static T log_erfc(T const& t) {
    return polynomial(t, -0x1.575b32p+2f, -0x1.1ac324p+2f, -0x1.d8f67ep-1f, -0x1.0e1dbcp-6f, 0x1.d16deep-9f,
                      -0x1.71cedcp-11f, 0x1.89ff26p-13f);
  }
  static constexpr float shift = 2.203125f, middle = 0x1.a4795ap+0f, per = 0x1.fdff7ep+2f, first = 0x1.f186e4p-1f,
                         second = -0x1.7fd66cp-2f;
  template <class T> ETNA_FN_INLINE static T over(T const& v) {
    return polynomial(v, 0x1.9d9e8ap-4f, -0x1.f585c0p-7f, -0x1.299616p-12f, 0x1.281194p-11f, -0x1.b55768p-16f,
                      -0x1.70cc4ap-16f);
  }
};
// Two chains each, so that one number waits half as long.
template <> struct erf_terms<double> {
  static constexpr double one = 5.95, none = 27.5, center = 1.25;
  template <class T> ETNA_FN_INLINE static T rest(T const& s) {
    T ss = s * s;
    T even = polynomial(ss, 0x1.06eba8214db68p-3, 0x1.ce2f21a03f8b2p-4, 0x1.565bcceec4e6dp-8, 0x1.f9a295dc9228ep-14,
                        0x1.b96a5bf0be1b2p-20, 0x1.d39b97e4603e5p-27);
    T odd = polynomial(ss, -0x1.812746b03799dp-2, -0x1.b82ce311a92dbp-6, -0x1.c02daeb154598p-11, -0x1.f4c81c337fa3ep-17,
                       -0x1.5b84b05bafb12p-23, -0x1.a1521adb1cd72p-31);
    return mad(odd, s, even);
  }
  template <class T> ETNA_FN_INLINE static T log_erfc(T const& t) {
    T tt = t * t;
    T even = polynomial(tt, -0x1.48050902770fdp+1, -0x1.bddad46f505e9p-1, 0x1.fea76c4ced60cp-8, 0x1.02c5901c19e14p-12,
                        -0x1.6b68e374d3c60p-17, -0x1.844a2c42da9e2p-20, -0x1.0d546ff53b819p-27, 0x1.556f9e4ced6fdp-28,
                        0x1.faee7c2a0f9d2p-34);
    T odd = polynomial(tt, -0x1.88ab2d9950133p+1, -0x1.0bc5a02982575p-5, -0x1.a540a72fa9175p-10, -0x1.50f1ab67d4a7bp-17,
                       0x1.5aad40bac21dfp-18, 0x1.117141101409ap-22, -0x1.b68c6733b8ef0p-27, -0x1.158c2c48a4358p-30,
                       -0x1.99605dae054ffp-38);
    return mad(odd, t, even);
  }
  static constexpr double shift = 3.25, middle = 0x1.4df069847f19cp+0, per = 0x1.2b941595488b1p+3,
                          first = 0x1.0021f1aec86b6p+0, second = -0x1.1c9f04e1e0ed7p-1;
  template <class T> ETNA_FN_INLINE static T over(T const& v) {
    T vv = v * v;
    T even = polynomial(vv, -0x1.b00ed620adcdfp-4, -0x1.0db608719f7fep-7, 0x1.e8f665c28e18ep-15, 0x1.59fa3c2491b5dp-17,
                        -0x1.0a1019298c584p-20, 0x1.4a7bee4b170fcp-24, -0x1.a57f23616ee42p-28, 0x1.131fa2ed9405ap-31,
                        -0x1.120524ee296b3p-35);
    T odd = polynomial(vv, 0x1.171435e2fc62fp-5, 0x1.306638716a917p-10, -0x1.267ba7c2f40abp-14, 0x1.4e54fce96f135p-19,
                       -0x1.117a104529c32p-24, 0x1.539a298929e47p-32, 0x1.79f4c364d45e6p-34, -0x1.e4247e148dc9cp-39);
    return mad(mad(odd, v, even), v, T(0x1.0ea983520e1afp-2));
  }
};

template <class T> ETNA_FN_INLINE T erf(T const& x) {
  using E = erf_terms<lane_of<T>>;
  T a = abs(x), y = mad(E::rest(T(x * x)), x, x);
  auto near = a < T(1);
  if (!all(near)) {
    auto [t, r] = over_log2(E::log_erfc(T(min(a, T(E::one)) - T(E::center))));
    y = select(near, y, with_sign(nmad(exp_near(r), power_of_two(t), T(1)), x));
  }
  return y;
}

/// Up to where erfc is 1 - erf: to little more than 1/4.
inline constexpr float erfc_near = 0.8125f;
/// e^(a^2) erfc(a) for a from 13/16 on. What rounding took from x + shift and from the quotient moves the result by some
/// digits of its last place: by how many, a line tells well enough.
template <class T> ETNA_FN_INLINE double_word<T> erfc_over_exp(T const& a) {
  using L = lane_of<T>;
  using E = erf_terms<L>;
  constexpr L first = erfc_near + E::shift, slope = first * (L(0.7025) * first - 1);
  T d = a + T(E::shift), u = T(1) / d, lost = a - (d - T(E::shift));
  T v = nmad(u, T(E::per), T(E::middle));
  auto q = sum_and_product(T(E::second), v, E::over(v)), p = sum_and_product(T(E::first), v, q.hi);
  p.lo = mad(v, q.lo, p.lo);
  auto y = two_product(u, p.hi);
  T off = nmad(u, lost, one_less_product(u, d)) * mad(u, T(slope), T(1));
  return {y.hi, mad(y.hi, off, mad(u, p.lo, y.lo))};
}
/// erfc(a) for a from 13/16 on: with a^2 in two words, e^-a^2 as 2^n (1 + m) for t = n + magic_power.
template <class T> ETNA_FN_INLINE T erfc_far(T const& a) {
  using L = lane_of<T>;
  using E = exp_terms<L>;
  auto square = two_product(a, a), y = erfc_over_exp(a);
  T t = nmad(square.hi, T(E::log2_e), T(magic_power<L>)), n = t - T(magic_power<L>);
  T exact = nmad(n, T(E::log2_hi), T(-square.hi)), less = mad(n, T(E::log2_lo), square.lo);
  T r = exact - less, lost = (exact - r) - less;
  T rr = r * r, m = mad(E::rest(r, rr), rr, lost) + r;
  return scaled(T(y.hi + mad(y.hi, m, mad(y.lo, m, y.lo))), t);
}

template <class T> ETNA_FN_INLINE T erfc(T const& x) {
  using L = lane_of<T>;
  using E = erf_terms<L>;
  T a = abs(x), one_less = T(1) - x, lost = (T(1) - one_less) - x;
  T y = one_less + nmad(E::rest(T(x * x)), x, lost);
  auto near = a < T(L(erfc_near));
  if (!all(near)) {
    T far = erfc_far(T(min(a, T(E::none))));
    y = select(near, y, select(x < T(0), T(T(2) - far), far));
  }
  return y;
}

}  // namespace etna::math::host
