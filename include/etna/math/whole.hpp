// SPDX-License-Identifier: BSD-3-Clause
// Rounding to whole numbers, where an instruction does it, and where there is none: by what a large number leaves of
// digits. Read next: functions.hpp.
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

}  // namespace etna::math::host
