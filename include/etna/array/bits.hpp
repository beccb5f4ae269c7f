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

template <class U> constexpr std::int64_t to_bits(dtype d, U v) {
  if (!is_floating(d)) {
    if (d == dtype::boolean) return v != U(0);
    return std::int64_t(v);
  }
  if (d == dtype::f32) return std::bit_cast<std::int64_t>(double(float(v)));
  return std::bit_cast<std::int64_t>(double(v));
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
      if (std::is_constant_evaluated()) message::E092_the_element_type_does_not_hold_this_number();
      else not_held(dtype_of<T>, v);
    }
  return T(v);
}

constexpr double bits_to_double(dtype d, std::int64_t b) {
  return is_floating(d) ? std::bit_cast<double>(b) : double(b);
}
template <class T> ETNA_FN constexpr T from_bits(std::int64_t b) {
  if constexpr (std::is_floating_point_v<T>) return T(std::bit_cast<double>(b));
  else return T(b);
}

}  // namespace etna
