// SPDX-License-Identifier: BSD-3-Clause
// bfloat16 and float16: numbers of 16 bits that memory holds; arithmetic is of float. Conversions are constexpr, by
// integers, rounded once to the nearest (ties to even), also from 64 bits. Read next: dtype.hpp.
#pragma once
#include <bit>
#include <compare>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace etna {
namespace detail {

/// The bits of x in a format of 16 bits with so many of an exponent and of a fraction. What is too large is infinite.
/// A NaN keeps its sign, and what fits of its payload where `Payload`; it is quiet.
template <int Exponent, int Digits, bool Payload> constexpr std::uint16_t narrowed(double x) {
  constexpr int bias = (1 << (Exponent - 1)) - 1, least = 1 - bias;  // of normal numbers
  constexpr std::uint64_t infinite = ((std::uint64_t(1) << Exponent) - 1) << Digits, one = 1;
  auto const all = std::bit_cast<std::uint64_t>(x), size = all & ~(one << 63), sign = all >> 63 << 15;
  int const e = int(size >> 52) - 1023;
  if (e == 1024) {
    std::uint64_t fraction = size << 12 >> 12;
    if (fraction == 0) return std::uint16_t(sign | infinite);
    return std::uint16_t(sign | infinite | one << (Digits - 1) | (Payload ? fraction >> (52 - Digits) : 0));
  }
  int const shift = 52 - Digits + (e < least ? least - e : 0);
  if (shift > 54) return std::uint16_t(sign);
  std::uint64_t full = (size << 12 >> 12) | one << 52, m = full >> shift, rest = full & ((one << shift) - 1),
                half = one << (shift - 1);
  if (rest > half || (rest == half && (m & 1) != 0)) ++m;
  // the first digit of a normal m adds one to its exponent
  if (e >= least) m += std::uint64_t(e - least) << Digits;
  return std::uint16_t(sign | (m < infinite ? m : infinite));
}
template <int Exponent, int Digits> constexpr float widened(std::uint16_t bits) {
  constexpr int bias = (1 << (Exponent - 1)) - 1;
  std::uint32_t const sign = std::uint32_t(bits >> 15) << 31, size = bits & 0x7fffu;
  std::uint32_t e = size >> Digits, fraction = size & ((1u << Digits) - 1);
  if constexpr (Exponent == 8) return std::bit_cast<float>(sign | size << (23 - Digits));
  else {
    if (e == (1u << Exponent) - 1)
      return std::bit_cast<float>(sign | 0xffu << 23 | (fraction != 0 ? 1u << 22 : 0) | fraction << (23 - Digits));
    if (e == 0) {  // fraction 2^(1 - bias - Digits)
      float y = float(fraction) * std::bit_cast<float>(std::uint32_t(127 + 1 - bias - Digits) << 23);
      return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(y));
    }
    return std::bit_cast<float>(sign | (e + 127 - bias) << 23 | fraction << (23 - Digits));
  }
}

/// What rounds as x does: integers of 64 bits have more digits than a double, and would be rounded twice. What lies
/// behind the digits that it keeps is one more.
template <class T> constexpr double digits_of(T x) {
  if constexpr (!std::is_integral_v<T> || sizeof(T) < 8) return double(x);
  else {
    auto const size = x < 0 ? 0 - std::uint64_t(x) : std::uint64_t(x), behind = size & 0x7ff;
    double const y = double(size >> 53 == 0 ? size : (size - behind) | (behind != 0 ? 0x800 : 0));
    return x < 0 ? -y : y;
  }
}

/// A number of the type Self, made of any other and read as a float; + - * / are those of float.
template <class Self, int Exponent, int Digits, bool Payload> struct narrow {
  static constexpr int exponent = Exponent, digits = Digits;
  std::uint16_t bits;  // as of a float, not set unless it is told
  constexpr narrow() = default;
  template <class T> requires std::is_arithmetic_v<T>
  constexpr narrow(T x) : bits(narrowed<Exponent, Digits, Payload>(digits_of(x))) {}
  constexpr operator float() const { return widened<Exponent, Digits>(bits); }
  static constexpr Self of_bits(std::uint16_t b) {
    Self r;
    r.bits = b;
    return r;
  }
};

}  // namespace detail

/// The first 16 bits of a float: as large as it, with 8 digits.
struct bfloat16 : detail::narrow<bfloat16, 8, 7, false> {
  using narrow::narrow;
};
/// IEEE 754's binary16: up to 65,504, with 11 digits.
struct float16 : detail::narrow<float16, 5, 10, true> {
  using narrow::narrow;
};
static_assert(sizeof(bfloat16) == 2 && std::is_trivial_v<bfloat16> && sizeof(float16) == 2 &&
              std::is_trivial_v<float16>);

}  // namespace etna

template <class T> requires std::is_base_of_v<etna::detail::narrow<T, T::exponent, T::digits, T::exponent == 5>, T>
class std::numeric_limits<T> {
  static constexpr int bias = (1 << (T::exponent - 1)) - 1;

 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false, is_iec559 = true,
                        has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = true, is_bounded = true,
                        is_modulo = false;
  static constexpr int radix = 2, digits = T::digits + 1, digits10 = T::digits * 3 / 10,
                       max_digits10 = 2 + digits * 301 / 1000, min_exponent = 2 - bias, max_exponent = bias + 1;
  static constexpr T of_bits(int b) { return T::of_bits(std::uint16_t(b)); }
  static constexpr T min() { return of_bits(1 << T::digits); }
  static constexpr T max() { return of_bits((((1 << T::exponent) - 1) << T::digits) - 1); }
  static constexpr T lowest() { return T(-float(max())); }
  static constexpr T denorm_min() { return of_bits(1); }
  static constexpr T infinity() { return of_bits(((1 << T::exponent) - 1) << T::digits); }
  static constexpr T quiet_NaN() { return of_bits(((2 << T::exponent) - 1) << (T::digits - 1)); }
  static constexpr T epsilon() { return of_bits((bias - T::digits) << T::digits); }
};
