// SPDX-License-Identifier: BSD-3-Clause
// Element types and their promotion, one table: a new element type is a row here.
// The lattice is JAX's; C++ literals are its weak types. Read next: extent.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace etna {

enum class dtype : std::uint8_t { boolean, u8, u32, i32, i64, f32, f64 };
inline constexpr int dtype_count = 7;

enum class kind : std::uint8_t { boolean, unsigned_integer, signed_integer, floating };

struct dtype_row {
  const char* name;   // as printed
  const char* numpy;  // NumPy's and safetensors' readers map from it
  int bytes;
  kind family;
  std::int64_t least = 0;  // of integers
  std::uint64_t most = 0;
};

inline constexpr dtype_row dtypes[dtype_count]{
    {"bool", "bool", 1, kind::boolean},
    {"u8", "uint8", 1, kind::unsigned_integer, 0, UINT8_MAX},
    {"u32", "uint32", 4, kind::unsigned_integer, 0, UINT32_MAX},
    {"i32", "int32", 4, kind::signed_integer, INT32_MIN, INT32_MAX},
    {"i64", "int64", 8, kind::signed_integer, INT64_MIN, INT64_MAX},
    {"f32", "float32", 4, kind::floating},
    {"f64", "float64", 8, kind::floating},
};

constexpr dtype_row const& row_of(dtype d) { return dtypes[int(d)]; }
constexpr int bytes_of(dtype d) { return dtypes[int(d)].bytes; }
constexpr bool is_floating(dtype d) { return dtypes[int(d)].family == kind::floating; }
constexpr bool is_integer(dtype d) { return !is_floating(d) && d != dtype::boolean; }

template <class T> struct dtype_of_;
template <> struct dtype_of_<bool> {
  static constexpr dtype value = dtype::boolean;
};
template <> struct dtype_of_<std::uint8_t> {
  static constexpr dtype value = dtype::u8;
};
template <> struct dtype_of_<std::uint32_t> {
  static constexpr dtype value = dtype::u32;
};
template <> struct dtype_of_<std::int32_t> {
  static constexpr dtype value = dtype::i32;
};
template <> struct dtype_of_<std::int64_t> {
  static constexpr dtype value = dtype::i64;
};
template <> struct dtype_of_<long long> {
  static constexpr dtype value = dtype::i64;
};
template <> struct dtype_of_<float> {
  static constexpr dtype value = dtype::f32;
};
template <> struct dtype_of_<double> {
  static constexpr dtype value = dtype::f64;
};
template <class T> inline constexpr dtype dtype_of = dtype_of_<T>::value;
template <class T> concept element = requires { dtype_of_<T>::value; };
/// What class array asks of T: the same, under a name that compilers print where it does not hold.
template <class T> concept E059_elements_are_bool_uint8_t_uint32_t_int_int64_t_float_double = element<T>;

template <dtype D> struct element_of_;
template <> struct element_of_<dtype::boolean> {
  using type = bool;
};
template <> struct element_of_<dtype::u8> {
  using type = std::uint8_t;
};
template <> struct element_of_<dtype::u32> {
  using type = std::uint32_t;
};
template <> struct element_of_<dtype::i32> {
  using type = std::int32_t;
};
template <> struct element_of_<dtype::i64> {
  using type = std::int64_t;
};
template <> struct element_of_<dtype::f32> {
  using type = float;
};
template <> struct element_of_<dtype::f64> {
  using type = double;
};
template <dtype D> using element_of = typename element_of_<D>::type;

/// The least element type that holds values of both, as JAX's lattice has it.
///
/// source  JAX type promotion; u32 with i32 is i64, any integer with f32 is f32
constexpr dtype promote(dtype a, dtype b) {
  if (a == b) return a;
  if (a > b) {
    dtype c = a;
    a = b;
    b = c;
  }  // the enumeration is in lattice order but for one pair
  if (a == dtype::u32 && b == dtype::i32) return dtype::i64;
  return b;
}

/// A weak literal (a C++ int, double or bool) beside an array of element type a.
constexpr dtype promote_weak(dtype a, kind literal) {
  if (literal == kind::floating) return is_floating(a) ? a : dtype::f32;
  if (literal == kind::boolean) return a;
  return a == dtype::boolean ? dtype::i32 : a;
}

/// The element type in which a function of the reals (sin, exp, a mean) of this type is computed.
constexpr dtype to_floating(dtype a) { return is_floating(a) ? a : a == dtype::i64 ? dtype::f64 : dtype::f32; }

template <class T> constexpr kind kind_of_literal() {
  if constexpr (std::is_same_v<T, bool>) return kind::boolean;
  else if constexpr (std::is_floating_point_v<T>) return kind::floating;
  else return kind::signed_integer;
}

}  // namespace etna
