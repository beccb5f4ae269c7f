// SPDX-License-Identifier: BSD-3-Clause
// The cube root, the root of a sum of two squares, and the reciprocal of a root. Coefficients:
// test/data/polynomials.py; largest errors: docs/accuracy.md. Read next: erf.hpp.
#pragma once
#include "lane.hpp"

namespace etna::math::host {

/// Cube roots of m from 1/2 to 4: a first one, kept to so few digits that its cube has no error, and
/// ((1 + q)^(1/3) - 1) / q for what is left.
template <class L> struct cbrt_terms;
template <> struct cbrt_terms<float> {
  static constexpr float coarse = 0x1.8p16f, down = 0x1p-8f;
  template <class T> ETNA_FN_INLINE static T first(T const& m) {
    return polynomial(m, 0x1.fdd10ap-2f, 0x1.6d1ba6p-1f, -0x1.106632p-2f, 0x1.f2a4cap-5f, -0x1.67be5ep-8f);
  }
  template <class T> ETNA_FN_INLINE static T rest(T const& q) {
    return polynomial(q, 0x1.555556p-2f, -0x1.c72ceap-4f, 0x1.f94bf6p-5f);
  }
};
template <> struct cbrt_terms<double> {
  static constexpr double coarse = 0x1.8p36, down = 0x1p-18;
  template <class T> ETNA_FN_INLINE static T first(T const& m) {
    T mm = m * m;
    T even = polynomial(mm, 0x1.dd2c8cd24c7f7p-2, -0x1.b5600d3621179p-2, -0x1.e050ab4d7cd5bp-6);
    T odd = polynomial(mm, 0x1.aba3cab55ade5p-1, 0x1.3a7ef65c94df8p-3, 0x1.2571ef5625e32p-9);
    return mad(odd, m, even);
  }
  template <class T> ETNA_FN_INLINE static T rest(T const& q) {
    return polynomial(q, 0x1.5555555555555p-2, -0x1.c71c71c717368p-4, 0x1.f9add3c3d1cbbp-5, -0x1.511eec6f1ca67p-5,
                      0x1.ee5f139e98d91p-6);
  }
};

/// Of normal, finite x. With |x| = 8^k m and c about the root of m, m - c^3 is exact: roots that are numbers come out.
///
/// source  fdlibm's s_cbrt.c for the few digits of c
struct cbrt_plain {
  template <class T> ETNA_FN_INLINE static T of(T const& x) {
    using L = lane_of<T>;
    using E = cbrt_terms<L>;
    using Int = decltype(bits(x));
    constexpr int digits = floating<L>::digits;
    constexpr L magic = floating<L>::magic;
    T a = abs(x);
    T exponent = number(Int(shifted_down(bits(a)) + bits(T(magic)))) - T(magic + floating<L>::bias);
    Int k = bits(mad(exponent, T(L(1. / 3)), T(magic))) << digits;
    T m = number(Int(bits(a) - (k + k + k)));
    T c = (E::first(m) + T(E::coarse)) - T(E::coarse), cube = c * c * c;
    T q = (m - cube) / cube, root = mad(c * q, E::rest(q), c);
    return with_sign(T(number(Int(bits(root) + k))), x);
  }
};
// Of subnormal x; a zero, an infinity and a NaN stay what they are.
struct cbrt_far {
  template <class T> static T of(T const& x) {
    using L = lane_of<T>;
    constexpr L up = 1 / (cbrt_terms<L>::down * cbrt_terms<L>::down * cbrt_terms<L>::down);
    T y = cbrt_plain::of(T(x * T(up))) * T(cbrt_terms<L>::down);
    return select((abs(x) <= T(std::numeric_limits<L>::max())) & (x != T(0)), y, T(x + x));
  }
};
/// The cube root: the nearest number in nearly all cases, at most 0.51 units in the last place off.
template <class T> ETNA_FN_INLINE T cbrt(T const& x) {
  using limits = std::numeric_limits<lane_of<T>>;
  T a = abs(x);
  auto plain = (a >= T(limits::min())) & (a <= T(limits::max()));
  return else_far<cbrt_far>(plain, cbrt_plain::of(x), x);
}

/// x^2 + y^2, the same for (y, x).
template <class T> ETNA_FN_INLINE T square_sum(T const& x, T const& y) {
  auto ordered = abs(x) > abs(y);
  T more = select(ordered, x, y), less = select(ordered, y, x);
  return mad(more, more, T(less * less));
}
// Where the sum overflows, or loses digits in small numbers: of scaled x and y. An infinity is larger than any NaN.
struct hypot_far {
  template <class T> static T of(T const& x, T const& y) {
    using L = lane_of<T>;
    using limits = std::numeric_limits<L>;
    constexpr L up = sizeof(L) == 4 ? L(0x1p100) : L(0x1p600), down = 1 / up, inf = limits::infinity();
    T a = abs(x), b = abs(y);
    auto large = (a > T(1)) | (b > T(1));
    T scale = select(large, T(down), T(up)), back = select(large, T(up), T(down));
    T r = sqrt(square_sum(T(x * scale), T(y * scale))) * back;
    return select((a == T(inf)) | (b == T(inf)), T(inf), r);
  }
};
/// sqrt(x^2 + y^2) without overflow.
template <class T> ETNA_FN_INLINE T hypot(T const& x, T const& y) {
  using L = lane_of<T>;
  using limits = std::numeric_limits<L>;
  constexpr L least = limits::min() / limits::epsilon() / limits::epsilon();  // what underflow took does not count
  T s = square_sum(x, y);
  return else_far<hypot_far>((s >= T(least)) & (s <= T(limits::max())), T(sqrt(s)), x, y);
}

/// 1 / sqrt(x): inf with its sign of a zero.
template <class T> ETNA_FN_INLINE T rsqrt(T const& x) { return T(1) / sqrt(x); }

}  // namespace etna::math::host
