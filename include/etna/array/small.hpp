// SPDX-License-Identifier: BSD-3-Clause
// small<T, E...>: a few numbers with a shape, and nothing else. Plain data, so that it lives in registers
// inside a kernel of the user's, on the host and on a device. Read next: ../exec/point.hpp.
#pragma once
#include <cstddef>

#include <etna/platform.hpp>

#include "dtype.hpp"
#include "extent.hpp"

namespace etna {

/// Numbers of a static shape as an aggregate: small<double, 3, 3> is 9 doubles, row-major; small<T> is one.
///
/// shape   E...
/// cost    no memory but its own; copies copy
template <element T, extent... E> struct small {
  static constexpr int rank = int(sizeof...(E));
  static constexpr extent count = (E * ... * 1);
  T data[std::size_t(count == 0 ? 1 : count)];

  static ETNA_FN constexpr extent size() { return count; }
  /// By indices: x(i, j).
  template <class... Nth> requires(sizeof...(Nth) == sizeof...(E))
  ETNA_FN constexpr T& operator()(Nth... i) {
    return data[offset_of(i...)];
  }
  template <class... Nth> requires(sizeof...(Nth) == sizeof...(E))
  ETNA_FN constexpr T const& operator()(Nth... i) const {
    return data[offset_of(i...)];
  }
  /// By position, in row-major order.
  ETNA_FN constexpr T& operator[](extent i) { return data[i]; }
  ETNA_FN constexpr T const& operator[](extent i) const { return data[i]; }
  ETNA_FN constexpr operator T() const requires(sizeof...(E) == 0)
  {
    return data[0];
  }
  ETNA_FN constexpr T* begin() { return data; }
  ETNA_FN constexpr T* end() { return data + count; }
  ETNA_FN constexpr T const* begin() const { return data; }
  ETNA_FN constexpr T const* end() const { return data + count; }

 private:
  template <class... Nth> static ETNA_FN constexpr extent offset_of(Nth... i) {
    extent at = 0;
    ((at = at * E + extent(i)), ...);
    return at;
  }
};

template <class X> struct is_small_ : std::false_type {};
template <class T, extent... E> struct is_small_<small<T, E...>> : std::true_type {};
template <class X> concept any_small = is_small_<std::remove_cvref_t<X>>::value;

}  // namespace etna
