// SPDX-License-Identifier: BSD-3-Clause
// log, log2, log10, log1p and the inverse hyperbolic functions. A positive number is 2^k (1 + f) with 1 + f about one,
// and log(1 + f) is f and a smaller rest. Coefficients: test/data/polynomials.py; largest errors:
// docs/accuracy.md. Read next: power.hpp.
#pragma once
#include "exponential.hpp"

namespace etna::math::host {

/// How log(1 + f) is computed in a floating type: 1 + f from `least` to 2 `least`; logarithms of 2 in two words, of
/// which k times the first is exact.
template <class L> struct log_terms;
template <> struct log_terms<float> {
  static constexpr float least = 0x1.555556p-1f;
  static constexpr float log2_hi = 0x1.62e43p-1f, log2_lo = -0x1.05c61p-29f, log10_2_hi = 0x1.344p-2f,
                         log10_2_lo = 0x1.3509f8p-18f;
  static constexpr float log2_e_hi = 0x1.715476p+0f, log2_e_lo = 0x1.4ae0cp-26f, log10_e_hi = 0x1.bcb7b2p-2f,
                         log10_e_lo = -0x1.5b235ep-27f;
  template <class T> ETNA_FN_INLINE static T over_square(T const& f) {
    return polynomial(f, -0.5f, 0x1.555528p-2f, -0x1.000b1cp-2f, 0x1.99c32ep-3f, -0x1.515a6ap-3f, 0x1.1f955cp-3f,
                      -0x1.35b3e2p-3f, 0x1.1b0d0ap-3f);
  }
  /// log(1 + f) - f + more, and k log 2 + log(1 + f).
  template <class T> ETNA_FN_INLINE static T rest(T const& f, T const& more) {
    return mad(over_square(f), T(f * f), more);
  }
  template <class T> ETNA_FN_INLINE static T joined(T const& k, T const& f) {
    return mad(k, T(log2_hi), mad(over_square(f), T(f * f), f));
  }
};
// source  fdlibm's e_log.c for the form: with s = f / (2 + f), log(1 + f) = f - f^2 / 2 + s (f^2 / 2 + R(s^2))
template <> struct log_terms<double> {
  static constexpr double least = 0x1.6a09e667f3bcdp-1;
  static constexpr double log2_hi = 0x1.62e42feep-1, log2_lo = 0x1.a39ef35793c76p-33, log10_2_hi = 0x1.34413508p-2,
                          log10_2_lo = 0x1.f79fef311f12bp-34;
  static constexpr double log2_e_hi = 0x1.71547652b82fep+0, log2_e_lo = 0x1.777d0ffda0d24p-56,
                          log10_e_hi = 0x1.bcb7b1526e50ep-2, log10_e_lo = 0x1.95355baaafad3p-57;
  template <class T> ETNA_FN_INLINE static T rest(T const& f, T const& more) {
    T s = f / (f + T(2)), half = f * f * T(0.5), z = s * s, zz = z * z;
    T even = polynomial(zz, 0x1.5555555555593p-1, 0x1.249249422a42fp-2, 0x1.746649af5a846p-3, 0x1.2f117f5b7fff7p-3);
    T odd = polynomial(zz, 0x1.999999997f9f8p-2, 0x1.c71c51d7d08fdp-3, 0x1.39a0958e7455bp-3);
    return mad(s, mad(mad(odd, z, even), z, half), T(more - half));
  }
  template <class T> ETNA_FN_INLINE static T joined(T const& k, T const& f) {
    return mad(k, T(log2_hi), T(f + rest(f, T(k * T(log2_lo)))));
  }
};

/// x = 2^k m of a positive, normal, finite x, m from `least` to twice that: k as a number, and shifted to where an
/// exponent lies.
template <class T> struct by_powers {
  using integer = decltype(bits(std::declval<T>()));
  T k;
  integer exponent;
};
template <class T>
ETNA_FN_INLINE by_powers<T> over_powers(T const& x, lane_of<T> least = log_terms<lane_of<T>>::least) {
  using L = lane_of<T>;
  using Int = typename by_powers<T>::integer;
  constexpr int digits = floating<L>::digits;
  if constexpr (sizeof(L) == 4) {
    Int k = (bits(x) - bits(T(least))) >> digits;
    if constexpr (scalar<T>) return {T(k), Int(k << digits)};
    else return {to_float(k), k << digits};
  } else {  // before AVX-512 there is no arithmetic shift of 64 bits, and no conversion: k + 1022 is positive
    constexpr integer_for<L> raise = integer_for<L>(1022) << digits;
    Int raised = shifted_down(Int(bits(x) - (bits(T(least)) - Int(raise))));
    T k = number(Int(raised + bits(T(floating<L>::magic)))) - T(floating<L>::magic + 1022);
    return {k, Int((raised << digits) - Int(raise))};
  }
}

/// Is x positive, normal and finite?
template <class T> ETNA_FN_INLINE auto is_plain(T const& x) {
  using limits = std::numeric_limits<lane_of<T>>;
  return (x >= T(limits::min())) & (x <= T(limits::max()));
}
/// F, a logarithm of plain numbers, where x is not one: of subnormals, zeros, negative numbers, inf and NaN.
template <class F> struct log_far {
  template <class T> static T of(T const& x) {
    using L = lane_of<T>;
    using limits = std::numeric_limits<L>;
    constexpr int up = floating<L>::digits + 1;
    T below = F::of(T(x * T(L(std::int64_t(1) << up))), T(L(-up)));
    T y = select(x == T(0), T(-limits::infinity()), select(x < T(0), T(limits::quiet_NaN()), below));
    return select(x <= T(limits::max()), y, x);
  }
};

struct log_plain {
  template <class T> ETNA_FN_INLINE static T of(T const& x, T const& more) {
    auto [k, exponent] = over_powers(x);
    T f = number(bits(x) - exponent) - T(1);
    return log_terms<lane_of<T>>::joined(T(k + more), f);
  }
};
template <class T> ETNA_FN_INLINE T log(T const& x) {
  return else_far<log_far<log_plain>>(is_plain(x), log_plain::of(x, no_more<T>()), x);
}

/// log(1 + f) times a constant, in two words: what is a whole number, as log10(1000), comes out as one.
template <class T> ETNA_FN_INLINE double_word<T> log_times(T const& f, lane_of<T> hi, lane_of<T> lo) {
  auto p = two_product(f, T(hi));
  return {p.hi, mad(log_terms<lane_of<T>>::rest(f, no_more<T>()), T(hi), mad(f, T(lo), p.lo))};
}
struct log2_plain {
  template <class T> ETNA_FN_INLINE static T of(T const& x, T const& more) {
    using E = log_terms<lane_of<T>>;
    auto [k, exponent] = over_powers(x);
    auto p = log_times(T(number(bits(x) - exponent) - T(1)), E::log2_e_hi, E::log2_e_lo);
    auto s = fast_two_sum(T(k + more), p.hi);
    return s.hi + (s.lo + p.lo);
  }
};
template <class T> ETNA_FN_INLINE T log2(T const& x) {
  return else_far<log_far<log2_plain>>(is_plain(x), log2_plain::of(x, no_more<T>()), x);
}
struct log10_plain {
  template <class T> ETNA_FN_INLINE static T of(T const& x, T const& more) {
    using E = log_terms<lane_of<T>>;
    auto [k, exponent] = over_powers(x);
    auto p = log_times(T(number(bits(x) - exponent) - T(1)), E::log10_e_hi, E::log10_e_lo);
    T n = k + more;
    T low = mad(n, T(E::log10_2_lo), p.lo);
    if constexpr (sizeof(lane_of<T>) == 8) return mad(n, T(E::log10_2_hi), T(p.hi + low));
    else {  // where n is 1, the sum is less than its parts
      auto s = product_and_sum(n, T(E::log10_2_hi), p.hi);
      return s.hi + (s.lo + low);
    }
  }
};
template <class T> ETNA_FN_INLINE T log10(T const& x) {
  return else_far<log_far<log10_plain>>(is_plain(x), log10_plain::of(x, no_more<T>()), x);
}

/// log(u.hi + u.lo) + more log 2 of a plain u.hi, as two words: exact in u.lo also where u is nearly 1. 2^-k is to be
/// normal.
template <class T> ETNA_FN_INLINE double_word<T> log_of_sum(double_word<T> const& u, T const& more) {
  using E = log_terms<lane_of<T>>;
  auto [k, exponent] = over_powers(u.hi);
  T low = u.lo * number(bits(T(1)) - exponent), n = k + more;
  auto f = fast_two_sum(T(number(bits(u.hi) - exponent) - T(1)), low);
  auto s = product_and_sum(n, T(E::log2_hi), f.hi);
  return {s.hi, s.lo + mad(n, T(E::log2_lo), E::rest(f.hi, f.lo))};
}
template <class T> ETNA_FN_INLINE T joined(double_word<T> const& x) { return x.hi + x.lo; }

struct log1p_far {
  template <class T> static T of(T const& x) {  // of x <= -1, and so large that 1 does not count
    T y = host::log(x);
    return select(x == T(-1), T(-std::numeric_limits<lane_of<T>>::infinity()), y);
  }
};
/// The sum 1 + x has what rounding took from it in its second word; the sign of x is that of the result.
template <class T> ETNA_FN_INLINE T log1p(T const& x) {
  using L = lane_of<T>;
  constexpr L most = L(1) / std::numeric_limits<L>::min();  // 2^126
  auto u = two_sum(T(1), x);
  T y;
  if constexpr (sizeof(L) == 4 && fuses) {
    auto [k, exponent] = over_powers(u.hi);
    T f = number(bits(u.hi) - exponent) - T(1);
    y = log_terms<L>::joined(k, mad(u.lo, T(number(bits(T(1)) - exponent)), f));
  } else y = joined(log_of_sum(u, no_more<T>()));
  y = with_sign(y, x);
  return else_far<log1p_far>((x > T(-1)) & (x <= T(most)), y, x);
}

/// log(a + sqrt(a^2 + c)), a >= 0, c being 1 or -1: the root in two words. Where a^2 is all of the sum, and may be
/// infinite, log(2 a) is taken.
template <class T> ETNA_FN_INLINE T log_of_root_sum(T const& a, lane_of<T> c) {
  using L = lane_of<T>;
  constexpr L all_square = L(std::int64_t(1) << (floating<L>::digits / 2 + 3)), least = std::numeric_limits<L>::min();
  auto p = two_product(a, a), y = two_sum(p.hi, T(c));
  T root = sqrt(y.hi);
  auto back = two_product(root, root), sum = two_sum(a, root);
  T lost = ((y.hi - back.hi) - back.lo) + (y.lo + p.lo);  // of y, whose root it changes by lost / (2 root)
  sum.lo = mad(lost, T(T(L(0.5)) / max(root, T(least))), sum.lo);
  auto far = a > T(all_square);
  double_word<T> u{select(far, T(a * T(L(0.5))), sum.hi), select(far, T(0), sum.lo)};
  return select(a <= T(std::numeric_limits<L>::max()), joined(log_of_sum(u, select(far, T(2), T(0)))), a);
}
template <class T> ETNA_FN_INLINE T asinh(T const& x) {
  using L = lane_of<T>;
  return with_sign(log_of_root_sum(T(abs(x)), L(1)), x);
}
template <class T> ETNA_FN_INLINE T acosh(T const& x) {
  using L = lane_of<T>;
  return select(x >= T(1), log_of_root_sum(x, L(-1)), T(std::numeric_limits<L>::quiet_NaN()));
}
/// log((1 + x) / (1 - x)) / 2
template <class T> ETNA_FN_INLINE T atanh(T const& x) {
  using L = lane_of<T>;
  using limits = std::numeric_limits<L>;
  T a = abs(x);
  auto n = fast_two_sum(T(1), a), d = fast_two_sum(T(1), T(-a));
  auto q = quotient(n, d);
  T y = joined(log_of_sum(fast_two_sum(q.hi, q.lo), no_more<T>())) * T(L(0.5));
  T outside = select(a > T(1), T(limits::quiet_NaN()), T(limits::infinity()));
  return with_sign(select(a < T(1), y, select(a == a, outside, a)), x);
}

}  // namespace etna::math::host
