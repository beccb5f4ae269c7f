// SPDX-License-Identifier: BSD-3-Clause
// log(e^x + e^y): the greater of x and y, and log(1 + e^-|x - y|). Where that sum is nearly zero, though neither part
// is, e^x + e^y - 1 is computed to twice the digits. Coefficients: test/data/polynomials.py; largest errors:
// docs/accuracy.md. Read next: roots.hpp.
#pragma once
#include "logarithm.hpp"

namespace etna::math::host {

/// log(1 + e^-|x - y|), the difference in two words, in two words.
template <class T> ETNA_FN_INLINE double_word<T> log1p_exp_gap(T const& x, T const& y) {
  auto gap = two_sum(x, T(-y));
  gap.hi = select(x == y, T(0), gap.hi);  // of infinities, too
  T low = select(gap.hi < T(0), gap.lo, T(-gap.lo));
  low = select(abs(low) <= T(1), low, T(0));  // no number where the difference is infinite
  auto e = exp_of_sum(minus_abs(gap.hi), low), u = fast_two_sum(T(1), e.hi);
  T more =
      select(e.hi > T(lane_of<T>(0x1p-60)), e.lo, T(0));  // it counts where the sum may cancel, and is normal there
  return log_of_sum(double_word<T>{u.hi, u.lo + more}, no_more<T>());
}
/// To some 57 bits behind the point.
template <class T> ETNA_FN_INLINE T logaddexp_of_gap(T const& x, T const& y) {
  auto part = log1p_exp_gap(x, y);
  auto s = two_sum(T(select(x > y, x, y)), part.hi);
  T r = s.hi + (s.lo + part.lo);
  return select(r == r, r, s.hi);  // of an infinity the second word is none
}
// f32, to some 35 bits behind the point: with s = e / (2 + e), log(1 + e) is s P(s^2).
struct logaddexp_in_f64 {
  template <class T> ETNA_FN_INLINE static T of(T const& x, T const& y) {
    T gap = select(x == y, T(0), minus_abs(T(x - y)));
    T a = max(gap, T(-110)) * T(0x1.71547652b82fep+0), t = a + T(magic_power<double>);
    T r = a - (t - T(magic_power<double>)), rr = r * r;
    T even = polynomial(rr, 0x1.ffffffffab78dp-1, 0x1.ebfbe0a527820p-3, 0x1.3b29dbe7ed14fp-7, 0x1.446a67baa8466p-13);
    T odd = polynomial(rr, 0x1.62e42ff117577p-1, 0x1.c6b08aad7e10fp-5, 0x1.5d8a718916082p-10, 0x1.fe17297acbadbp-17);
    T e = mad(odd, r, even) * power_of_two(t), s = e / (e + T(2)), z = s * s, zz = z * z;
    even = polynomial(zz, 0x1.0000000002d1dp+1, 0x1.9999c406f8fbcp-2, 0x1.c8d56bd40a1cap-3, 0x1.c04c43d1e2c4ep-3);
    odd = polynomial(zz, 0x1.5555552f0924cp-1, 0x1.24897f979c2ebp-2, 0x1.5e78d15f770c7p-3);
    return mad(mad(odd, z, even), s, select(x > y, x, y));
  }
};

/// a + b for |a| >= |b|, the second word small.
template <class T> ETNA_FN_INLINE double_word<T> sum_of(double_word<T> const& a, double_word<T> const& b) {
  auto s = added(a, b);
  return fast_two_sum(s.hi, s.lo);
}
/// e^x of f64, -746 <= x <= 1, as power + rest to some 104 bits of the rest: with x = n log 2 + r, power is 2^n, and
/// the rest is that times e^r - 1, by the series of r / 8, three times squared.
template <class T> struct exp_parts {
  T power;
  double_word<T> rest;
};
template <class T> exp_parts<T> exp_in_two(T const& x) {
  constexpr double log2[] = {0x1.62e42fefa3p-1, 0x1.3de6af278ep-42, 0x1.9cc01f97b57a0p-83};  // n times two are exact
  constexpr double over_factorial[][2] = {
      // 1 / k! from k = 3 on
      {0x1.5555555555555p-3, 0x1.5555555555555p-57},  {0x1.5555555555555p-5, 0x1.5555555555555p-59},
      {0x1.1111111111111p-7, 0x1.1111111111111p-63},  {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
      {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73}, {0x1.a01a01a01a01ap-16, 0x1.a01a01a01a01ap-76}};
  T t = mad(x, T(exp_terms<double>::log2_e), T(magic_power<double>)), n = t - T(magic_power<double>);
  auto r = two_sum(T(x - n * T(log2[0])), T(-(n * T(log2[1]))));
  r = fast_two_sum(r.hi, nmad(n, T(log2[2]), r.lo));
  auto tiny = abs(r.hi) < T(0x1p-120);  // e^r - 1 is r, and a part of it might be subnormal
  auto whole = r;
  T eighth = T(0.125);
  r = {r.hi * eighth, r.lo * eighth};
  T tail = polynomial(r.hi, 0x1.71de3a556c734p-19, 0x1.27e4fb7789f5cp-22, 0x1.ae64567f544e4p-26, 0x1.1eed8eff8d898p-29,
                      0x1.6124613a86d09p-33, 0x1.93974a8c07c9dp-37, 0x1.ae7f3e733b81fp-41);
  double_word<T> m{tail, T(0)};
  for (int k = 5; k >= 0; --k)
    m = sum_of(double_word<T>{T(over_factorial[k][0]), T(over_factorial[k][1])}, product(r, m));
  m = sum_of(double_word<T>{T(0.5), T(0)}, product(r, m));
  m = sum_of(r, product(product(r, r), m));
  for (int k = 0; k < 3; ++k) m = sum_of(double_word<T>{m.hi + m.hi, m.lo + m.lo}, product(m, m));
  m = {select(tiny, whole.hi, m.hi), select(tiny, whole.lo, m.lo)};
  return {scaled(T(1), t), {scaled(m.hi, t), scaled(m.lo, t)}};
}
// log(1 + d) of d = (e^x - 1) + e^y, |d| < 1/20.
struct logaddexp_near_zero_f64 {
  template <class T> static T of(T const& x, T const& y) {
    auto a = exp_in_two(clamped(max(x, y), -746, 1)), b = exp_in_two(clamped(min(x, y), -746, 1));
    auto s = two_sum(T(a.power - T(1)), b.power), u = two_sum(s.hi, a.rest.hi), d = two_sum(u.hi, b.rest.hi);
    d = fast_two_sum(d.hi, T(((s.lo + u.lo) + d.lo) + (a.rest.lo + b.rest.lo)));
    T terms =
        polynomial(d.hi, -0.5, 1. / 3, -0.25, 0.2, -1. / 6, 1. / 7, -0.125, 1. / 9, -0.1, 1. / 11, -1. / 12, 1. / 13);
    return d.hi + mad(T(terms * d.hi), d.hi, nmad(d.lo, d.hi, d.lo));
  }
};
struct logaddexp_near_zero {
  template <class T> static T of(T const& x, T const& y) {
    if constexpr (sizeof(lane_of<T>) == 4) return in_f64<logaddexp_near_zero_f64>(x, y);
    else return logaddexp_near_zero_f64::of(x, y);
  }
};

/// log(e^x + e^y) without overflow.
///
/// Of f64 an error of 2^-104 of 1 - e^x may be more than two units of a result that is less than 2^-50 of it: then y is
/// nearer to log(1 - e^x) than most other numbers are.
template <class T> ETNA_FN_INLINE T logaddexp(T const& x, T const& y) {
  T sum;
  lane_of<T> exact;  // from here on the sum is good enough
  if constexpr (sizeof(lane_of<T>) == 4) {
    sum = in_f64<logaddexp_in_f64>(x, y);
    exact = 0x1p-9f;
  } else {
    sum = logaddexp_of_gap(x, y);
    exact = 0x1.8p-5;
  }
  return else_far<logaddexp_near_zero>(!(abs(sum) < T(exact)) | (max(x, y) >= T(0)), sum, x, y);
}

}  // namespace etna::math::host
