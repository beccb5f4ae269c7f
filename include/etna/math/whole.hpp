// SPDX-License-Identifier: BSD-3-Clause
// Rounding to whole numbers, where an instruction does it, and where there is none: by what a large number leaves of
// digits; and what a division leaves. Read next: functions.hpp.
#pragma once
#include "lane.hpp"

namespace etna::math::host {

#if (defined(__x86_64__) || defined(__i386__)) && !defined(__SSE4_1__)
inline constexpr bool rounds = false;
#else
inline constexpr bool rounds = true;
#endif

/// x without its fraction, with its sign, which a zero keeps. What is larger than all fractions is whole; a NaN stays.
template <class T> ETNA_FN_INLINE T trunc_of(T const& x) {
  T large = T(lane_of<T>(std::int64_t(1) << floating<lane_of<T>>::digits)), a = abs(x), n = (a + large) - large;
  return select(a < large, with_sign(select(n > a, T(n - T(1)), n), x), x);
}

template <class T> ETNA_FN_INLINE T trunc(T const& x) {
  using std::trunc;
  if constexpr (scalar<T> || rounds) return trunc(x);
  else return trunc_of(x);
}
template <class T> ETNA_FN_INLINE T floor(T const& x) {
  using std::floor;
  if constexpr (scalar<T> || rounds) return floor(x);
  else {
    T n = trunc_of(x);
    return select(n > x, T(n - T(1)), n);
  }
}
template <class T> ETNA_FN_INLINE T ceil(T const& x) {
  using std::ceil;
  if constexpr (scalar<T> || rounds) return ceil(x);
  else {
    T n = trunc_of(x);
    return select(n < x, with_sign(T(n + T(1)), x), n);
  }
}

/// One by one.
struct remainder_far {
  template <class T> ETNA_FN_INLINE static T of(T const& x, T const& y) {
    alignas(64) lane_of<T> a[T::size], b[T::size];
    x.store_aligned(a);
    y.store_aligned(b);
    for (std::size_t i = 0; i < T::size; ++i) a[i] = std::fmod(a[i], b[i]);
    return T::load_aligned(a);
  }
};
/// x - y trunc(x / y), exactly, as C's fmod. The quotient n is rounded, so it may be one too large, and no less than it
/// should be: |x| - n |y|, with the sign that it has, is a number while n has no more digits than others.
template <class T> ETNA_FN_INLINE T fmod(T const& x, T const& y) {
  using L = lane_of<T>;
  if constexpr (scalar<T>) return std::fmod(x, y);
  else if constexpr (!fuses) return remainder_far::of(x, y);
  else {
    T const a = abs(x), b = abs(y), quotient = a / b;
    T r = nmad(trunc(quotient), b, a);
    r = with_sign(T(select(r < T(L(0)), T(r + b), r)), x);
    auto const plain =
        (quotient < T(L(std::int64_t(1) << floating<L>::digits))) & (b < T(std::numeric_limits<L>::infinity()));
    return else_far<remainder_far>(plain, r, x, y);
  }
}

}  // namespace etna::math::host
