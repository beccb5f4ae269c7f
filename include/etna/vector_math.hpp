// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions as a row's `lower` calls them: of scalars, those of the standard library; of SIMD
// batches of f32, etna's own polynomials, where the machine multiplies and adds with one rounding; of all
// other batches, those of the batch's library. No branch but one on a whole batch; nothing here changes
// what a NaN, an infinity or a zero gives. Coefficients: test/data/polynomials.py; largest errors:
// docs/accuracy.md. Read next: message/catalogue.hpp.
#pragma once
#include "platform.hpp"

namespace etna::math {

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
inline constexpr bool fuses = true;
#else
inline constexpr bool fuses = false;
#endif

/// Has B functions of etna's own?
template <class B> inline constexpr bool has_own = fuses && !scalar<B> && std::is_same_v<lane_of<B>, float>;

// Of a batch of f32 (class B). Names that are not here are the batch's own, by argument-dependent look-up.
namespace f32 {

/// c + more[0] x + more[1] x^2 + ...
template <class B, class... C> ETNA_FN_INLINE B polynomial(B const& x, float c, C... more) {
  if constexpr (sizeof...(C) == 0) return B(c);
  else return fma(polynomial(x, more...), x, B(c));
}
template <class B> ETNA_FN_INLINE auto bits(B const& x) { return bitwise_cast<std::int32_t>(x); }
template <class Integer> ETNA_FN_INLINE auto number(Integer const& i) { return bitwise_cast<float>(i); }

// magic + x rounds x to an integer n, if it is small, and the lowest bits of the sum are those of n; with
// magic_power they are those of n + 127, so that a shift makes them 2^n.
inline constexpr float magic = 12582912.f, magic_power = magic + 127;
template <class B> ETNA_FN_INLINE B power(B const& t) { return number(bits(t) << 23); }

/// p 2^n for t = n + magic_power, n from -252 to 254; rounded once more where it is subnormal.
template <class B> ETNA_FN_INLINE B scaled(B const& p, B const& t) {
#if defined(__AVX512F__)
  return ldexp(p, bits(t) - bits(B(magic_power)));
#else
  auto n = bits(t) - bits(B(magic_power)), half = n >> 1, one = bits(B(1.f));
  return p * number((half << 23) + one) * number(((n - half) << 23) + one);
#endif
}

/// x = n log 2 + r with |r| <= log(2) / 2; t = n + magic_power.
template <class B> struct reduced {
  B t, r;
};
template <class B> ETNA_FN_INLINE reduced<B> by_log2(B const& x) {
  B t = fma(x, B(0x1.715476p+0f), B(magic_power)), n = t - B(magic_power);
  return {t, fnma(n, B(0x1.efa39ep-25f), fnma(n, B(0x1.62e42ep-1f), x))};
}

// e^r, |r| <= log(2) / 2
template <class B> ETNA_FN_INLINE B exp_near(B const& r) {
  return polynomial(r, 1.f, 1.f, 0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558bp-5f, 0x1.123988p-7f, 0x1.6a4cb8p-10f);
}
template <class B> ETNA_FN_INLINE B exp(B const& x) {
  // beyond these all is inf and 0; a NaN goes through
  auto [t, r] = by_log2(max(min(x, B(89.f)), B(-104.f)));
  return scaled(exp_near(r), t);
}

template <class B> ETNA_FN_INLINE B exp2(B const& x) {
  B a = max(min(x, B(129.f)), B(-151.f)), t = a + B(magic_power);
  return scaled(exp_near((a - (t - B(magic_power))) * B(0x1.62e43p-1f)), t);
}

// r + r r P(r) = e^r - 1. Two signs keep that of a zero: P r + 0 is not -0, nor is 1 - 2^n.
template <class B> ETNA_FN_INLINE B expm1(B const& x) {
  auto [t, r] = by_log2(max(min(x, B(89.f)), B(-20.f)));
  B q = fma(
      fma(polynomial(r, 0x1.fffffep-2f, 0x1.5554b4p-3f, 0x1.5556f2p-5f, 0x1.12254ep-7f, 0x1.6b9c76p-10f), r, B(0.f)), r,
      r);
  B half = power(t - B(1.f));  // 2^n may be infinite
  B y = fms(half, q, B(0.5f) - half);
  return y + y;
}

// u = e^(2x) - 1, and tanh is u / (2 + u). Half of log 2 is one f32 here: its error counts n times, but where n is
// large tanh hardly changes.
template <class B> ETNA_FN_INLINE B tanh(B const& x) {
  B a = max(min(x, B(10.f)), B(-10.f));
  B t = fma(a, B(0x1.715476p+1f), B(magic_power)), p = power(t);
  B r = fnma(t - B(magic_power), B(0x1.62e43p-2f), a);
  B q = r * polynomial(r, 2.f, 4 * 0x1.fffffep-2f, 8 * 0x1.5554b4p-3f, 16 * 0x1.5556f2p-5f, 32 * 0x1.12254ep-7f,
                       64 * 0x1.6b9c76p-10f);
  B u = fms(p, q, B(1.f) - p);
  return u / (u + B(2.f));
}

// x - n pi: the first product is taken off without an error, and the last is beyond what x resolves.
template <class B> ETNA_FN_INLINE B less_pi(B const& x, B const& n) {
  return fnma(n, B(0x1.84698ap-47f), fnma(n, B(0x1.4442d0p-23f), fnma(n, B(0x1.921fb4p+1f), x)));
}
// sin r, |r| < pi / 2 + 0.02; the sum with 0 keeps the sign of a zero, as in expm1
template <class B> ETNA_FN_INLINE B sin_near(B const& r) {
  B s = r * r;
  return fma(fma(polynomial(s, -0x1.55554ap-3f, 0x1.110e86p-7f, -0x1.9f6138p-13f, 0x1.5ce6c0p-19f), s, B(0.f)), r, r);
}
template <class B> ETNA_FN_INLINE B minus_if_odd(B const& y, B const& t) { return number(bits(y) ^ (bits(t) << 31)); }
/// Is all of x where n pi is taken off exactly? (No for a NaN.)
template <class B> ETNA_FN_INLINE bool is_near(B const& x) { return all(abs(x) <= B(100000.f)); }

template <class B> ETNA_FN_INLINE B sin(B const& x) {
  B t = fma(x, B(0x1.45f306p-2f), B(magic));
  return minus_if_odd(sin_near(less_pi(x, t - B(magic))), t);
}
// cos x is (-1)^n sin(x - (n - 1/2) pi)
template <class B> ETNA_FN_INLINE B cos(B const& x) {
  B t = fma(x, B(0x1.45f306p-2f), B(0.5f)) + B(magic);
  return minus_if_odd(sin_near(less_pi(x, t - B(magic) - B(0.5f))), t);
}

// x = 2^k m with m from 2/3 to 4/3
template <class B> ETNA_FN_INLINE auto exponent(B const& x) { return (bits(x) - bits(B(0x1.555556p-1f))) >> 23; }
// log(1 + f) for f from -1/3 to 1/3
template <class B> ETNA_FN_INLINE B log_near(B const& f) {
  return fma(polynomial(f, -0.5f, 0x1.555528p-2f, -0x1.000b1cp-2f, 0x1.99c32ep-3f, -0x1.515a6ap-3f, 0x1.1f955cp-3f,
                        -0x1.35b3e2p-3f, 0x1.1b0d0ap-3f),
             f * f, f);
}
/// Is all of x positive, normal and finite?
template <class B> ETNA_FN_INLINE bool is_plain(B const& x) {
  return all((x >= B(0x1p-126f)) & (x <= B(0x1.fffffep+127f)));
}

template <class B> ETNA_FN_INLINE B log(B const& x) {
  auto k = exponent(x);
  return fma(to_float(k), B(0x1.62e43p-1f), log_near(number(bits(x) - (k << 23)) - B(1.f)));
}
/// Is all of x above -1, and 1 / (1 + x) normal?
template <class B> ETNA_FN_INLINE bool is_above_minus_one(B const& x) {
  return all((x > B(-1.f)) & (x <= B(0x1p+126f)));
}
// What rounding took from 1 + x is put back.
template <class B> ETNA_FN_INLINE B log1p(B const& x) {
  B u = x + B(1.f), lost = x - (u - B(1.f));
  auto k = exponent(u), down = k << 23;
  B f = fma(lost, number(bits(B(1.f)) - down), number(bits(u) - down) - B(1.f));
  return fma(to_float(k), B(0x1.62e43p-1f), log_near(f)) | (x & B(-0.f));
}

}  // namespace f32

// What rows call.
template <class T> ETNA_FN_INLINE T exp(T const& x) {
  using std::exp;
  if constexpr (has_own<T>) return f32::exp(x);
  else return exp(x);
}
template <class T> ETNA_FN_INLINE T exp2(T const& x) {
  using std::exp2;
  if constexpr (has_own<T>) return f32::exp2(x);
  else return exp2(x);
}
template <class T> ETNA_FN_INLINE T expm1(T const& x) {
  using std::expm1;
  if constexpr (has_own<T>) return f32::expm1(x);
  else return expm1(x);
}
template <class T> ETNA_FN_INLINE T tanh(T const& x) {
  using std::tanh;
  if constexpr (has_own<T>) return f32::tanh(x);
  else return tanh(x);
}

// These have arguments that the polynomial is not for: then the whole batch is computed again by its library,
// behind a call, which keeps the kernel's loop short. (A result by reference costs the loop no register.)
template <class T> [[gnu::noinline, gnu::cold]] void far_sin(T const& x, T& y) { y = sin(x); }
template <class T> ETNA_FN_INLINE T sin(T const& x) {
  using std::sin;
  if constexpr (has_own<T>) {
    T y = f32::sin(x);
    if (!f32::is_near(x)) [[unlikely]]
      far_sin(x, y);
    return y;
  } else return sin(x);
}
template <class T> [[gnu::noinline, gnu::cold]] void far_cos(T const& x, T& y) { y = cos(x); }
template <class T> ETNA_FN_INLINE T cos(T const& x) {
  using std::cos;
  if constexpr (has_own<T>) {
    T y = f32::cos(x);
    if (!f32::is_near(x)) [[unlikely]]
      far_cos(x, y);
    return y;
  } else return cos(x);
}
template <class T> [[gnu::noinline, gnu::cold]] void far_log(T const& x, T& y) { y = log(x); }
template <class T> ETNA_FN_INLINE T log(T const& x) {
  using std::log;
  if constexpr (has_own<T>) {
    T y = f32::log(x);
    if (!f32::is_plain(x)) [[unlikely]]
      far_log(x, y);
    return y;
  } else return log(x);
}
template <class T> [[gnu::noinline, gnu::cold]] void far_log1p(T const& x, T& y) { y = log1p(x); }
template <class T> ETNA_FN_INLINE T log1p(T const& x) {
  using std::log1p;
  if constexpr (has_own<T>) {
    T y = f32::log1p(x);
    if (!f32::is_above_minus_one(x)) [[unlikely]]
      far_log1p(x, y);
    return y;
  } else return log1p(x);
}

}  // namespace etna::math
