// SPDX-License-Identifier: BSD-3-Clause
// Literals travel through graphs and kernel types as 64-bit patterns: the bits of a double for
// floating element types, the integer itself otherwise.
#pragma once
#include <bit>
#include <cstdint>
#include <string>
#include <type_traits>

#include <etna/message/catalogue.hpp>
#include <etna/message/runtime.hpp>
#include <etna/platform.hpp>

#include "dtype.hpp"

namespace etna {

/// x as a number of element type d holds it.
constexpr double rounded_to(dtype d, double x) {
  return for_dtype(d, [&]<class T>(std::type_identity<T>) { return double(T(x)); });
}
template <class U> constexpr std::int64_t to_bits(dtype d, U v) {
  if (!is_floating(d)) {
    if (d == dtype::boolean) return v != U(0);
    return std::int64_t(v);
  }
  if (d == dtype::f64) return std::bit_cast<std::int64_t>(double(v));
  if (d == dtype::f32) return std::bit_cast<std::int64_t>(double(float(v)));
  return std::bit_cast<std::int64_t>(rounded_to(d, detail::digits_of(v)));
}
/// A whole number as one of element type d: as C++ converts it.
constexpr std::int64_t wrapped(dtype d, std::int64_t v) {
  int const gone = 64 - 8 * bytes_of(d);
  if (d == dtype::boolean) return v != 0;
  auto const high = std::uint64_t(v) << gone;
  return row_of(d).family == kind::signed_integer ? std::int64_t(high) >> gone : std::int64_t(high >> gone);
}
/// Does an element type hold this C++ number? A whole number that it does not hold would become another one. Floating
/// numbers are rounded, and become no integers (E002).
template <class U> constexpr bool holds_number(dtype d, U v) {
  if constexpr (!std::is_integral_v<U> || std::is_same_v<U, bool>) return true;
  else if (!is_integer(d)) return true;
  else return std::is_signed_v<U> && v < U(0) ? std::int64_t(v) >= row_of(d).least : std::uint64_t(v) <= row_of(d).most;
}
template <class U> [[noreturn]] void not_held(dtype d, U v) {
  message::raise<133>(std::to_string(v) + " in an array of " + row_of(d).name);
}
/// A C++ number as one of element type T.
///
/// errors  E092 (while compiling), E133: T does not hold it
template <class T, class U> constexpr T held_number(U v) {
  if constexpr (std::is_integral_v<U> && !std::is_same_v<U, T>)
    if (!holds_number(dtype_of<T>, v)) {
      if (__builtin_is_constant_evaluated()) message::E092_the_element_type_does_not_hold_this_number();
      else not_held(dtype_of<T>, v);
    }
  return T(v);
}

constexpr double bits_to_double(dtype d, std::int64_t b) {
  return is_floating(d) ? std::bit_cast<double>(b) : d == dtype::u64 ? double(std::uint64_t(b)) : double(b);
}
/// A literal of another element type: to integers truncated and saturated, NaN to 0; integers wrap.
constexpr std::int64_t converted_bits(dtype from, std::int64_t b, dtype to) {
  if (!is_floating(from)) {
    if (!is_floating(to)) return wrapped(to, b);
    return from == dtype::u64 ? to_bits(to, std::uint64_t(b)) : to_bits(to, b);
  }
  double const x = std::bit_cast<double>(b);
  if (is_floating(to) || to == dtype::boolean) return to_bits(to, x);
  if ((b & ~(std::int64_t(1) << 63)) > std::int64_t(0x7ff) << 52) return 0;
  if (x <= double(row_of(to).least)) return row_of(to).least;
  if (x >= double(row_of(to).most)) return std::int64_t(row_of(to).most);
  return x < 0 ? std::int64_t(x) : std::int64_t(std::uint64_t(x));
}
template <class T> ETNA_FN constexpr T from_bits(std::int64_t b) {
  if constexpr (is_real<T>) return T(std::bit_cast<double>(b));
  else return T(b);
}

}  // namespace etna
