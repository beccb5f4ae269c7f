// SPDX-License-Identifier: BSD-3-Clause
// How far a result is from the truth, in units of the last place of its type; and whether an infinity, a zero or a NaN
// stands where none belongs. Read next: arguments.hpp.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace accuracy {

template <class T> using bits_of = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T> bits_of<T> bits(T x) { return std::bit_cast<bits_of<T>>(x); }
/// Also of two NaN, whatever their bits.
template <class T> bool same(T x, T y) { return bits(x) == bits(y) || (x != x && y != y); }

/// The wider type that judges T.
template <class T> using judge = std::conditional_t<sizeof(T) == 4, double, long double>;

/// 2^n exactly, n a normal exponent of R.
template <class R> R power_of_two(int n) {
  if constexpr (std::is_same_v<R, double>) return std::bit_cast<double>(std::uint64_t(n + 1023) << 52);
  else return R(std::ldexp(1.0L, n));
}
/// e with 2^e <= |x| < 2^(e + 1), of a finite x that is not 0.
template <class R> int exponent(R x) {
  if constexpr (std::is_same_v<R, double>) {
    int e = int(std::bit_cast<std::uint64_t>(x) >> 52 & 2047);
    return e == 0 ? -1023 : e - 1023;  // all that is less is less than any unit
  } else {
    static_assert(sizeof(R) == 16);
    std::uint64_t half[2];  // x87's and __float128's lie differently, but each has 15 bits from the same -16383 on
    std::memcpy(half, &x, 16);
    bool const x87 = std::is_same_v<R, long double> && std::numeric_limits<long double>::digits == 64;
    return int((x87 ? half[1] : half[1] >> 48) & 32767) - 16383;
  }
}

struct verdict {
  double ulp = 0;
  bool special = false;  // a NaN, an infinity or a zero, or its sign, is wrong
};

/// Of a result where the truth is so. What rounds beyond the largest number may be inf, and is as far from the truth as
/// 2^128 (f32) would be; what rounds to 0 has the truth's sign, or with `any_zero` any.
template <class T, class R> verdict judged(T got, R truth, bool any_zero = false) {
  constexpr int least = std::numeric_limits<T>::min_exponent - 1, most = std::numeric_limits<T>::max_exponent,
                places = std::numeric_limits<T>::digits - 1;
  constexpr verdict wrong{std::numeric_limits<double>::infinity(), true};
  if (truth != truth || got != got) return truth != truth && got != got ? verdict{} : wrong;
  bool const negative = truth < 0, endless = truth - truth != 0;
  if (truth == 0) {
    return got == 0 && (any_zero || std::signbit(got) == std::signbit(double(truth))) ? verdict{} : wrong;
  }
  if (endless) return std::isinf(got) && std::signbit(got) == negative ? verdict{} : wrong;
  if (got == 0 && std::signbit(got) != negative && !any_zero) return wrong;
  int e = exponent(truth);
  if (std::isinf(got)) {
    if (std::signbit(got) != negative) return wrong;
    if (e >= most) return {};
  }
  e = (e < least ? least : e >= most ? most - 1 : e) - places;
  R const is = std::isinf(got) ? (got > 0 ? power_of_two<R>(most) : -power_of_two<R>(most)) : R(got);
  R const off = (is - truth) * power_of_two<R>(-e);
  return {double(off < 0 ? -off : off), false};
}

/// Is the truth of what cancels (the logarithm of a sum near 1) so small beside its operands that the wider type's
/// value is none?
template <class T, class R> bool cancelled(T x, T y, R truth) {
  auto size = [](R v) { return v < 0 ? -v : v; };
  return size(truth) < (size(x) > size(y) ? size(x) : size(y)) * (sizeof(T) == 4 ? R(0x1p-16) : R(0.125));
}

/// Is the truth, known to some `digits` bits, a number of T as far as these tell?
template <class T, class R> bool representable(R truth, int digits) {
  T const near = T(truth);
  if (!(near - near == 0) || near == 0) return false;
  R const off = truth - R(near);
  return (off < 0 ? -off : off) <= (truth < 0 ? -truth : truth) * power_of_two<R>(-digits);
}

}  // namespace accuracy
