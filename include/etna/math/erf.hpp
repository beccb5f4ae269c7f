// SPDX-License-Identifier: BSD-3-Clause
// erf and erfc. Up to 1, erf(x) is x + x P(x^2); beyond, erf is 1 - e^Q(x), and erfc is e^-x^2 times a function that
// falls like 1 / x. Coefficients: test/data/polynomials.py; largest errors: docs/accuracy.md. Read next: angle.hpp.
#pragma once
#include "exponential.hpp"

namespace etna::math::host {

/// `rest` is erf(x) / x - 1 of s = x^2, x up to 1; `log_erfc` is log(erfc(x)) of t = x - center, x from 1 on, as exact
/// as erf needs it. With u = 1 / (x + shift), e^(x^2) erfc(x) is u (first + v (second + v over(v))), `first` in two
/// words and v = middle - per u from -1 to 1, x from 13/16 on. erf is 1 from `one` on, erfc 0 from `none` on.
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
  static constexpr float shift = 2.109375f, middle = 0x1.9f5532p+0f, per = 0x1.ea6p+2f;
  static constexpr float first = 0x1.ea1b92p-1f, first_lo = 0x1.8f8206p-30f, second = -0x1.6f044ap-2f;
  template <class T> ETNA_FN_INLINE static T over(T const& v) {
    return polynomial(v, 0x1.73ece4p-4f, -0x1.7afbb8p-7f, -0x1.ef721ep-11f, 0x1.0f790cp-11f, 0x1.71dbf6p-17f,
                      -0x1.7c4c60p-16f);
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
  static constexpr double shift = 3.25, middle = 0x1.4df0696cc5a0ap+0, per = 0x1.2b94158p+3;
  static constexpr double first = 0x1.0021f1aec86b6p+0, first_lo = -0x1.8bf388f2b0294p-55,
                          second = -0x1.1c9f04f6196fep-1;
  template <class T> ETNA_FN_INLINE static T over(T const& v) {
    T vv = v * v;
    T even = polynomial(vv, -0x1.b00ed67cc3cb4p-4, -0x1.0db608d16e2b9p-7, 0x1.e8f666b5b8ad7p-15, 0x1.59fa3d01c97c5p-17,
                        -0x1.0a1019f979297p-20, 0x1.4a7bef7c5153bp-24, -0x1.a57f25229b9a5p-28, 0x1.131fa439dc2c8p-31,
                        -0x1.120526600bcc4p-35);
    T odd = polynomial(vv, 0x1.171436324b3b3p-5, 0x1.306638f32be61p-10, -0x1.267ba86a53026p-14, 0x1.4e54fdd6f542ap-19,
                       -0x1.117a112e4fa39p-24, 0x1.539a2adaf06fep-32, 0x1.79f4c51274ce6p-34, -0x1.e424807facd3ep-39);
    return mad(mad(odd, v, even), v, T(0x1.0ea98378835e8p-2));
  }
};

template <class T> ETNA_FN_INLINE T erf(T const& x) {
  using E = erf_terms<lane_of<T>>;
  T a = abs(x), y = mad(E::rest(T(x * x)), x, x);
  auto near = a < T(1);
  if (!all(near)) {
    auto [t, r, lost] = over_log2(E::log_erfc(T(min(a, T(E::one)) - T(E::center))));
    y = select(near, y, with_sign(nmad(exp_near(r), power_of_two(t), T(1)), x));
  }
  return y;
}

/// Up to where erfc is 1 - erf: to little more than 1/4.
inline constexpr float erfc_near = 0.8125f;
/// e^(a^2) erfc(a) for a from 13/16 on. What rounding took from a + shift and from the quotient moves the result by
/// two or three times as much: a line tells well enough.
template <class T> ETNA_FN_INLINE double_word<T> erfc_over_exp(T const& a) {
  using L = lane_of<T>;
  using E = erf_terms<L>;
  constexpr L first = erfc_near + E::shift, slope = first * (L(0.7025) * first - 1);
  T d = a + T(E::shift), u = T(1) / d, lost = a - (d - T(E::shift));
  T v = less_product(T(E::middle), u, T(E::per));
  auto q = sum_and_product(T(E::second), v, E::over(v)), p = sum_and_product(T(E::first), v, q.hi);
  p.lo = mad(v, q.lo, p.lo + T(E::first_lo));
  if constexpr (!fuses) p.lo = p.lo + two_product(v, q.hi).lo;  // what rounding took from the product
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
  T a = abs(x), y = T(0);
  auto near = a < T(L(erfc_near));
  if (any(near)) {
    T one_less = T(1) - x, lost = (T(1) - one_less) - x;
    y = one_less + nmad(E::rest(T(x * x)), x, lost);
  }
  if (!all(near)) {
    T far = erfc_far(T(min(a, T(E::none))));
    y = select(near, y, select(x < T(0), T(T(2) - far), far));
  }
  return y;
}

}  // namespace etna::math::host
