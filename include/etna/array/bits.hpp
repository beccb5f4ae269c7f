// SPDX-License-Identifier: BSD-3-Clause
// Literals travel through graphs and kernel types as 64-bit patterns: the bits of a double for
// floating element types, the integer itself otherwise.
#pragma once
#include <bit>
#include <cstdint>

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
constexpr double bits_to_double(dtype d, std::int64_t b) {
  return is_floating(d) ? std::bit_cast<double>(b) : double(b);
}
template <class T> ETNA_FN constexpr T from_bits(std::int64_t b) {
  if constexpr (std::is_floating_point_v<T>) return T(std::bit_cast<double>(b));
  else return T(b);
}

}  // namespace etna
