// SPDX-License-Identifier: BSD-3-Clause
// asin, acos, atan and atan2: a multiple of pi / 2, and a number t with a polynomial of t^2. Coefficients:
// test/data/polynomials.py; largest errors: docs/accuracy.md. Read next: whole.hpp.
#pragma once
#include "double_word.hpp"

namespace etna::math::host {

/// pi / 2, and by how much of it that falls short.
template <class L> struct half_pi;
template <> struct half_pi<float> {
  static constexpr float value = 0x1.921fb6p+0f, lack = -0x1.777a5cp-25f / value;
};
template <> struct half_pi<double> {
  static constexpr double value = 0x1.921fb54442d18p+0, lack = 0x1.1a62633145c07p-54 / value;
};

/// c - t - t rest for a c that is 0 or a multiple of pi / 2 above |t|. What rounding takes from c - t is put back.
template <class T> ETNA_FN_INLINE T from_quarter(T const& c, T const& t, T const& rest) {
  T h = c - t;
  return h + nmad(rest, t, mad(c, T(half_pi<lane_of<T>>::lack), T((c - h) - t)));
}

/// A polynomial whose last coefficient is a number like x.
template <class T, class... C> ETNA_FN_INLINE T polynomial_on(T const& x, T const& last, lane_of<T> c, C... more) {
  if constexpr (sizeof...(C) == 0) return mad(last, x, T(c));
  else return mad(polynomial_on(x, last, more...), x, T(c));
}

/// (asin t / t - 1) / z, z = t^2 <= 1 / 4; (atan t / t - 1) / z, z <= 1. Of f64 in two chains, so that one number waits
/// half as long.
template <class T> ETNA_FN_INLINE T asin_terms(T const& z) {
  if constexpr (sizeof(lane_of<T>) == 4)
    return polynomial(z, 0x1.5555c8p-3f, 0x1.330204p-4f, 0x1.747bb8p-5f, 0x1.8c3e50p-6f, 0x1.595c60p-5f);
  else {
    T zz = z * z;
    T even = polynomial(zz, 0x1.5555555555390p-3, 0x1.6db6db427a618p-5, 0x1.6e89f444e6becp-6, 0x1.c6fdc9d05eb4cp-7,
                        0x1.abd16ed6314a1p-8, -0x1.09d0d06e84b91p-6);
    T odd = polynomial(zz, 0x1.333333336e815p-4, 0x1.f1c72c38db8f4p-6, 0x1.1c6be14a7d420p-6, 0x1.8ec2c27e53372p-7,
                       0x1.3ff332e9c5476p-6, 0x1.056c9c9533c57p-5);
    return mad(odd, z, even);
  }
}
template <class T> ETNA_FN_INLINE T atan_terms(T const& z) {
  if constexpr (sizeof(lane_of<T>) == 4)
    return polynomial(z, -0x1.55553ep-2f, 0x1.9991e4p-3f, -0x1.242086p-3f, 0x1.c08c4ep-4f, -0x1.58091cp-4f,
                      0x1.da2a0ep-5f, -0x1.fd7e1cp-6f, 0x1.6424eep-7f, -0x1.d35a82p-10f);
  else {  // of z - 1/2: less than z, so that roundings on the way count half
    T d = z - T(0.5), dd = d * d;
    T even =
        polynomial(dd, -0x1.08fa5f921a3b5p-6, -0x1.618d9a0021a5ap-8, -0x1.f79029a8f7ccdp-10, -0x1.758eb805c73b8p-11,
                   -0x1.1cc5f9b93af83p-12, -0x1.c107001689374p-14, -0x1.368e2f8ad7091p-15, -0x1.bbc392e074d65p-16);
    T odd = polynomial(dd, 0x1.2ee0b603a839fp-7, 0x1.a3527f14509bap-9, 0x1.316a9a6e65a93p-10, 0x1.cc01549cf2e89p-12,
                       0x1.6376021eb3c53p-13, 0x1.12ac744d797c0p-14, 0x1.c8ef64f2a8e57p-16, 0x1.bb15bbcce5c38p-17);
    T tail = mad(odd, d, even);
    return polynomial_on(d, tail, -0x1.09615e90afcd2p-2, 0x1.c5e5c41d92f3bp-4, -0x1.c10b0d776d0e7p-5,
                         0x1.dd5caa4ce7ed8p-6);
  }
}

/// asin |x| is asin t = t + t rest, or where |x| is above a half pi / 2 - 2 asin t: t^2 is (1 - |x|) / 2, exactly.
template <class T> struct arc {
  T t, rest;
};
template <class T, class M> ETNA_FN_INLINE arc<T> arc_of(T const& a, M const& above) {
  T half = T(lane_of<T>(0.5)), z = select(above, nmad(a, half, half), T(a * a));
  return {select(above, sqrt(z), a), asin_terms(z) * z};
}

/// The angle from -pi / 2 to pi / 2 whose sine is x; NaN where |x| > 1.
template <class T> ETNA_FN_INLINE T asin(T const& x) {
  T a = abs(x);
  auto above = a > T(lane_of<T>(0.5));
  auto [t, rest] = arc_of(a, above);
  T c = select(above, T(half_pi<lane_of<T>>::value), T(0));
  return with_sign(from_quarter(c, select(above, T(t + t), t), rest), x);  // or less than 0 by as much
}

/// The angle from 0 to pi whose cosine is x; NaN where |x| > 1.
template <class T> ETNA_FN_INLINE T acos(T const& x) {
  using L = lane_of<T>;
  constexpr L quarter = half_pi<L>::value;
  T a = abs(x);
  auto above = a > T(L(0.5));
  auto [t, rest] = arc_of(a, above);
  T c = select(above, select(x < T(0), T(2 * quarter), T(0)), T(quarter));
  return from_quarter(c, select(above, with_sign_turned(T(t + t), T(-x)), x), rest);
}

/// The angle from -pi / 2 to pi / 2 whose tangent is x.
template <class T> ETNA_FN_INLINE T atan(T const& x) {
  T a = abs(x);
  auto above = a > T(1);
  T t = select(above, T(T(1) / a), a), z = t * t;
  T c = select(above, T(half_pi<lane_of<T>>::value), T(0));
  return with_sign(from_quarter(c, t, T(atan_terms(z) * z)), x);  // or less than 0 by as much
}

/// The angle from -pi to pi of the point (x, y); between equal magnitudes, zeros and infinities, too, as C's Annex F.
template <class T> ETNA_FN_INLINE T atan2(T const& y, T const& x) {
  constexpr lane_of<T> quarter = half_pi<lane_of<T>>::value;
  T ax = abs(x), ay = abs(y);
  auto steep = ay > ax;
  T less = select(steep, ax, ay), more = select(steep, ay, ax);
  T d = select(more == T(0), T(1), more), t = select(less == d, T(1), T(less / d)), z = t * t;
  T side = with_sign(T(1), x);
  T c = select(steep, T(quarter), nmad(side, T(quarter), T(quarter)));  // pi / 2; 0 or pi
  return with_sign(from_quarter(c, with_sign_turned(select(steep, t, T(-t)), x), T(atan_terms(z) * z)), y);
}

}  // namespace etna::math::host
