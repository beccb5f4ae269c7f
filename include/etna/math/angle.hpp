// SPDX-License-Identifier: BSD-3-Clause
// What a number too large for a few parts of pi leaves over multiples of it: the digits of 2 / pi that matter to the
// number are multiplied by its own, in integers, lane by lane. Read next: trigonometric.hpp.
//
// source  Payne and Hanek, "Radian reduction for trigonometric functions"
#pragma once
#include "double_word.hpp"

namespace etna::math::host {

/// 64 zeros, and behind them the binary digits of 2 / pi behind the point.
inline constexpr std::uint64_t two_over_pi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

/// Which multiple is taken off: of pi / share, and of these those that lie half-way between.
struct turns {
  int share;
  bool halves;
};

/// An angle, and magic + n, n the integer before the multiple, of which bit 0 counts.
template <class T> struct reduced {
  double_word<T> angle;
  T t;
};

/// 64 of these digits, from number `at` on.
ETNA_FN_INLINE std::uint64_t digits(unsigned at) {
  std::uint64_t const* w = two_over_pi + at / 64;
  unsigned shift = at % 64;
  return w[0] << shift | w[1] >> 1 >> (63 - shift);
}
__extension__ using wide = unsigned __int128;
__extension__ using signed_wide = __int128;

/// |x| - n pi / share, or |x| - (n - 1/2) pi / share, of least magnitude; of an infinity or a NaN NaN. 2^14 <= |x|.
///
/// |x| is m 2^e, and counts modulo 4 pi / 2: so digits of 2 / pi before that of weight 2^(1 - e) do not count. m times
/// those behind it, rounded down, is u / 2^62 or u / 2^126.
template <turns By> [[gnu::noinline]] reduced<double> reduced_payne_hanek(double x) {
  std::uint64_t b = std::bit_cast<std::uint64_t>(x) & ~(std::uint64_t(1) << 63);
  if (b >= 0x7ff0000000000000) return {{x - x, 0}, 0};
  std::uint64_t m = (b & 0xfffffffffffff) | 0x10000000000000;
  auto at = unsigned(b >> 52) - (1075 - 62);
  wide low = (wide(m) * digits(at + 128) >> 64) + wide(m) * digits(at + 64);
  wide u = ((wide(m) * digits(at) + (low >> 64)) << 64) | std::uint64_t(low);
  if (By.halves) u += wide(1) << 126;
  auto f = signed_wide(u << By.share);  // of x share / pi what is left, 2^128 for 1
  auto n = std::uint64_t(u >> (128 - By.share)) + (f < 0);
  f >>= 2;
  double hi = double(f), lo = double(f - signed_wide(hi));
  constexpr double unit = 0x1p-126 / By.share, pi = 0x1.921fb54442d18p+1, pi_low = 0x1.1a62633145c07p-53;
  auto r = two_product(hi * unit, pi);
  r = fast_two_sum(r.hi, r.lo + mad(hi * unit, pi_low, lo * unit * pi));
  return {r, floating<double>::magic + double(n & 1)};
}
template <turns By> ETNA_FN_INLINE reduced<float> reduced_payne_hanek(float x) {
  std::uint32_t b = std::bit_cast<std::uint32_t>(x) & 0x7fffffff;
  if (b >= 0x7f800000) return {{x - x, 0}, 0};
  std::uint64_t m = (b & 0x7fffff) | 0x800000;
  auto at = unsigned(b >> 23) - (150 - 62);
  std::uint64_t u = m * digits(at) + std::uint64_t(wide(m) * digits(at + 64) >> 64);
  if (By.halves) u += std::uint64_t(1) << 62;
  auto f = std::int64_t(u << By.share);
  auto n = (u >> (64 - By.share)) + (f < 0);
  double r = double(f) * (0x1.921fb54442d18p+1 * 0x1p-64 / By.share);
  return {{float(r), float(r - double(float(r)))}, floating<float>::magic + float(n & 1)};
}

/// The same of each lane whose magnitude is above `limit`, or that is no number; of others 0.
template <turns By, scalar T> ETNA_FN_INLINE reduced<T> reduced_far(T const& x, T limit) {
  if (std::abs(x) <= limit) return {{0, 0}, 0};
  return reduced_payne_hanek<By>(x);
}
template <turns By, class T> requires(!scalar<T>)
reduced<T> reduced_far(T const& x, lane_of<T> limit) {
  alignas(64) lane_of<T> hi[T::size], lo[T::size], t[T::size];
  x.store_aligned(hi);
  for (std::size_t i = 0; i < T::size; ++i) {
    auto r = reduced_far<By>(hi[i], limit);
    hi[i] = r.angle.hi, lo[i] = r.angle.lo, t[i] = r.t;
  }
  return {{T::load_aligned(hi), T::load_aligned(lo)}, T::load_aligned(t)};
}

}  // namespace etna::math::host
