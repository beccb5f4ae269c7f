// SPDX-License-Identifier: BSD-3-Clause
// sin, cos and tan. A multiple of pi or of pi / 2 is taken off, and a polynomial of what is left is computed; a number
// too large for that is reduced in angle.hpp. Coefficients: test/data/polynomials.py; largest errors: docs/accuracy.md.
// Read next: inverse_circular.hpp.
//
// source  Cody and Waite, "Software manual for the elementary functions", for the reduction in parts
#pragma once
#include "angle.hpp"

namespace etna::math::host {

/// pi in parts, multiples of which are taken off a number up to `limit`: with fused products in three of all digits,
/// else in parts so short that a product with the multiple is exact, but for the last.
template <class L> struct pi_parts;
template <> struct pi_parts<float> {
  static constexpr float limit = fuses ? 100000.f : 25000.f, inverse = 0x1.45f306p-2f;
  static constexpr float fused[] = {0x1.921fb4p+1f, 0x1.4442d0p-23f, 0x1.84698ap-47f};
  static constexpr float exact[] = {0x1.92p+1f, 0x1.fap-11f, 0x1.54p-19f, 0x1.108p-29f, 0x1.a308d4p-40f};
};
template <> struct pi_parts<double> {
  static constexpr double limit = fuses ? 1e12 : 3e6, inverse = 0x1.45f306dc9c883p-2;
  static constexpr double fused[] = {0x1.921fb54442d18p+1, 0x1.1a62633145c06p-53, 0x1.c1cd129024e09p-106};
  static constexpr double exact[] = {0x1.921fb544p+1, 0x1.0b4611ap-33, 0x1.898cc516p-63, 0x1.01b839a25204ap-95};
};

/// r less m c, which is exact; what rounding takes from r goes to `lost`.
template <class T> ETNA_FN_INLINE void take(T& r, T& lost, T const& m, lane_of<T> c) {
  T p = m * T(c), d = r - p;
  lost = lost + ((r - d) - p);
  r = d;
}

/// x - m pi / Share as exactly as two words hold it, or in one word.
template <int Share, class T> ETNA_FN_INLINE double_word<T> less_pi_twice(T const& x, T const& m) {
  using L = lane_of<T>;
  using P = pi_parts<L>;
  constexpr L share = L(1) / Share;
  if constexpr (fuses) {
    T first = nmad(m, T(P::fused[0] * share), x);
    auto p = two_product(m, T(P::fused[1] * share));
    T hi = first - p.hi;
    return {hi, nmad(m, T(P::fused[2] * share), T(((first - hi) - p.hi) - p.lo))};
  } else {
    T r = x - m * T(P::exact[0] * share), lost = T(0);
    if constexpr (sizeof(L) == 4) {
      r = r - m * T(P::exact[1] * share);
      take(r, lost, m, P::exact[2] * share);
      take(r, lost, m, P::exact[3] * share);
      return {r, lost - m * T(P::exact[4] * share)};
    } else {
      take(r, lost, m, P::exact[1] * share);
      take(r, lost, m, P::exact[2] * share);
      return {r, lost - m * T(P::exact[3] * share)};
    }
  }
}
template <class T> ETNA_FN_INLINE T less_pi(T const& x, T const& m) {
  using P = pi_parts<lane_of<T>>;
  if constexpr (fuses) return nmad(m, T(P::fused[2]), nmad(m, T(P::fused[1]), nmad(m, T(P::fused[0]), x)));
  else {
    auto r = less_pi_twice<1>(x, m);
    return r.hi + r.lo;
  }
}

/// sin r / r - 1, |r| <= pi / 2 and a little, is `middle` and terms of d = r^2 - center, which are less than that: so
/// roundings on the way count half. With this `center` a sine is never above 1, and the terms of r = 0 are 0 or more.
/// Those terms and c; of f64 in two chains, so that one number waits half as long.
template <class L> struct sin_terms;
template <> struct sin_terms<float> {
  static constexpr float center = 1.25f, middle = -0x1.90c7bp-3f;
  template <class T> ETNA_FN_INLINE static T of(T const& d, T const& c) {
    return mad(polynomial(d, -0x1.2c8726p-3f, 0x1.f3087cp-8f, -0x1.841b9ep-13f, 0x1.5d0c7cp-19f), d, c);
  }
};
template <> struct sin_terms<double> {
  static constexpr double center = 1.359375, middle = -0x1.b176d669ffb25p-3;
  template <class T> ETNA_FN_INLINE static T of(T const& d, T const& c) {
    T dd = d * d;
    T even = polynomial(dd, 0x1.ef1101dfef62ep-8, 0x1.5b9a3f2107637p-19, 0x1.5174d0556a08ep-33, 0x1.89bb49cc4d0a1p-49);
    T odd =
        polynomial(dd, -0x1.292152ded9c6dp-3, -0x1.81a1a17c0f069p-13, -0x1.98647f51d97c4p-26, -0x1.9d9c3ed638ed1p-41);
    return mad(odd, d, mad(even, dd, c));
  }
};
/// Where products are not fused, what rounding takes from the sum of the terms is put back for what it takes from them.
template <class T> ETNA_FN_INLINE T sin_near(T const& r) {
  using E = sin_terms<lane_of<T>>;
  T d = mad(r, r, T(-E::center)), middle = T(E::middle);
  if constexpr (fuses) return mad(E::of(d, middle), r, r);
  else {
    auto p = fast_two_sum(middle, E::of(d, T(0)));
    return r + (p.hi * r + p.lo * r);
  }
}

/// (tan r / r - 1) / s, s = r^2, |r| <= pi / 4 and a little.
template <class T> ETNA_FN_INLINE T tan_terms(T const& s) {
  if constexpr (sizeof(lane_of<T>) == 4)
    return polynomial(s, 0x1.5554d4p-2f, 0x1.112ffep-3f, 0x1.b53eeep-5f, 0x1.926fb2p-6f, 0x1.7ca562p-9f,
                      0x1.37c7d2p-7f);
  else {
    T ss = s * s;
    T even = polynomial(ss, 0x1.55555555554f1p-2, 0x1.ba1ba1b4611a5p-5, 0x1.226e12272d3eap-7, 0x1.7d5b076e5aac1p-10,
                        0x1.d2505ce4154a8p-13, -0x1.bbe1bc484e965p-16, -0x1.78c0bf9398e13p-15);
    T odd = polynomial(ss, 0x1.11111111183c0p-3, 0x1.664f49aa4a5cbp-6, 0x1.d6d93ad20ffafp-9, 0x1.37fd504853e2cp-11,
                       0x1.1e6b7813bf5eap-13, 0x1.7777984c99e81p-14, 0x1.5e2c53744976fp-16);
    return mad(odd, s, even);
  }
}

/// y with its sign turned where the integer that t = magic + n holds is odd.
template <class T> ETNA_FN_INLINE T minus_if_odd(T const& y, T const& t) {
  return number(bits(y) ^ (bits(t) << (8 * int(sizeof(lane_of<T>)) - 1)));
}
/// tan(r.hi + r.lo), or where t is odd -1 of it. What rounding took from the tangent is put back in the quotient.
template <class T> ETNA_FN_INLINE T tan_near(double_word<T> const& r, T const& t) {
  T s = r.hi * r.hi, z = mad(T(tan_terms(s) * s), r.hi, mad(r.lo, s, r.lo));
  T y = r.hi + z, lost = (r.hi - y) + z, q = T(-1) / y;
  T rest;
  if constexpr (fuses) rest = mad(q, y, T(1));
  else {
    auto p = two_product(q, y);
    rest = (p.hi + T(1)) + p.lo;
  }
  return select(minus_if_odd(T(1), t) < T(0), mad(q, mad(q, lost, rest), q), y);
}

struct sin_far {
  template <class T> static T of(T const& x) {
    auto r = reduced_far<turns{1, false}>(x, pi_parts<lane_of<T>>::limit);
    return with_sign_turned(minus_if_odd(sin_near(r.angle.hi), r.t), x);
  }
};
struct cos_far {
  template <class T> static T of(T const& x) {
    auto r = reduced_far<turns{1, true}>(x, pi_parts<lane_of<T>>::limit);
    return minus_if_odd(sin_near(r.angle.hi), r.t);
  }
};
struct tan_far {
  template <class T> static T of(T const& x) {
    auto r = reduced_far<turns{2, false}>(x, pi_parts<lane_of<T>>::limit);
    return with_sign_turned(tan_near(r.angle, r.t), x);
  }
};

/// The sine; of an infinity NaN. With fused products a zero keeps its sign: there `sin_terms` is not negative.
template <class T> ETNA_FN_INLINE T sin(T const& x) {
  using L = lane_of<T>;
  using P = pi_parts<L>;
  T size = abs(x), a = x;
  if constexpr (!fuses) a = size;
  T t = mad(a, T(P::inverse), T(floating<L>::magic)), n = t - T(floating<L>::magic);
  T y = minus_if_odd(sin_near(less_pi(a, n)), t);
  if constexpr (!fuses) y = with_sign_turned(y, x);
  return else_far<sin_far>(size <= T(P::limit), y, x);
}

/// The cosine, (-1)^n sin(x - (n - 1/2) pi).
template <class T> ETNA_FN_INLINE T cos(T const& x) {
  using L = lane_of<T>;
  using P = pi_parts<L>;
  T a = abs(x), t = mad(a, T(P::inverse), T(L(0.5))) + T(floating<L>::magic);
  T m = (t - T(floating<L>::magic)) - T(L(0.5));
  T y = minus_if_odd(sin_near(less_pi(a, m)), t);
  return else_far<cos_far>(a <= T(P::limit), y, x);
}

/// The tangent, that of x - n pi / 2, or where n is odd -1 divided by it.
template <class T> ETNA_FN_INLINE T tan(T const& x) {
  using L = lane_of<T>;
  using P = pi_parts<L>;
  T a = abs(x), t = mad(a, T(P::inverse * 2), T(floating<L>::magic)), n = t - T(floating<L>::magic);
  T y = tan_near(less_pi_twice<2>(a, n), t);
  return else_far<tan_far>(a <= T(P::limit), with_sign_turned(y, x), x);
}

}  // namespace etna::math::host
