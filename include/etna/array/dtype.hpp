// SPDX-License-Identifier: BSD-3-Clause
// Element types and their promotion, one table: a new element type is a row here.
// The lattice is JAX's; C++ literals are its weak types. Read next: extent.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>

#include "narrow.hpp"

namespace etna {

// The table. A row: name here, type in C++, name as printed, NumPy's, that of .npy files, that of safetensors, kind.
// clang-format off
#define ETNA_DTYPES(row)                                                          \
  row(boolean, bool,          "bool", "bool",     "|b1", "BOOL", boolean)          \
  row(u8,      std::uint8_t,  "u8",   "uint8",    "|u1", "U8",   unsigned_integer) \
  row(u16,     std::uint16_t, "u16",  "uint16",   "<u2", "U16",  unsigned_integer) \
  row(u32,     std::uint32_t, "u32",  "uint32",   "<u4", "U32",  unsigned_integer) \
  row(u64,     std::uint64_t, "u64",  "uint64",   "<u8", "U64",  unsigned_integer) \
  row(i8,      std::int8_t,   "i8",   "int8",     "|i1", "I8",   signed_integer)   \
  row(i16,     std::int16_t,  "i16",  "int16",    "<i2", "I16",  signed_integer)   \
  row(i32,     std::int32_t,  "i32",  "int32",    "<i4", "I32",  signed_integer)   \
  row(i64,     std::int64_t,  "i64",  "int64",    "<i8", "I64",  signed_integer)   \
  row(bf16,    bfloat16,      "bf16", "bfloat16", "<V2", "BF16", floating)         \
  row(f16,     float16,       "f16",  "float16",  "<f2", "F16",  floating)         \
  row(f32,     float,         "f32",  "float32",  "<f4", "F32",  floating)         \
  row(f64,     double,        "f64",  "float64",  "<f8", "F64",  floating)
// clang-format on

#define ETNA_ROW(name, ...) name,
enum class dtype : std::uint8_t { ETNA_DTYPES(ETNA_ROW) };
#undef ETNA_ROW

enum class kind : std::uint8_t { boolean, unsigned_integer, signed_integer, floating };

struct dtype_row {
  const char* name;  // as printed
  const char *numpy, *npy, *safetensors;
  int bytes;
  kind family;
  std::int64_t least = 0;  // of integers
  std::uint64_t most = 0;
};

template <class T>
constexpr dtype_row row_for(char const* name, char const* numpy, char const* npy, char const* st, kind k) {
  using limits = std::numeric_limits<T>;
  bool whole = k == kind::unsigned_integer || k == kind::signed_integer;
  return {name,
          numpy,
          npy,
          st,
          int(sizeof(T)),
          k,
          whole ? std::int64_t(limits::min()) : 0,
          whole ? std::uint64_t(limits::max()) : 0};
}

#define ETNA_ROW(d, T, name, numpy, npy, safetensors, k) row_for<T>(name, numpy, npy, safetensors, kind::k),
inline constexpr dtype_row dtypes[]{ETNA_DTYPES(ETNA_ROW)};
#undef ETNA_ROW
inline constexpr int dtype_count = int(std::size(dtypes));

constexpr dtype_row const& row_of(dtype d) { return dtypes[int(d)]; }
constexpr int bytes_of(dtype d) { return dtypes[int(d)].bytes; }
constexpr bool is_floating(dtype d) { return dtypes[int(d)].family == kind::floating; }
constexpr bool is_integer(dtype d) { return !is_floating(d) && d != dtype::boolean; }

template <class T> struct dtype_of_;
template <dtype D> struct element_of_;
#define ETNA_ROW(d, T, ...)                  \
  template <> struct dtype_of_<T> {          \
    static constexpr dtype value = dtype::d; \
  };                                         \
  template <> struct element_of_<dtype::d> { \
    using type = T;                          \
  };
ETNA_DTYPES(ETNA_ROW)
#undef ETNA_ROW
#undef ETNA_DTYPES
/// The other C++ types of 64 bits.
template <> struct dtype_of_<std::conditional_t<std::is_same_v<std::int64_t, long>, long long, long>> {
  static constexpr dtype value = dtype::i64;
};
template <>
struct dtype_of_<std::conditional_t<std::is_same_v<std::uint64_t, unsigned long>, unsigned long long, unsigned long>> {
  static constexpr dtype value = dtype::u64;
};
template <class T> inline constexpr dtype dtype_of = dtype_of_<T>::value;
template <dtype D> using element_of = typename element_of_<D>::type;
template <class T> concept element = requires { dtype_of_<T>::value; };
/// A C++ type of floating elements, and of numbers.
template <class T> inline constexpr bool is_real = [] {
  if constexpr (element<T>) return is_floating(dtype_of<T>);
  else return std::is_floating_point_v<T>;
}();
template <class T> inline constexpr bool is_number = element<T> || std::is_arithmetic_v<T>;
/// What class array asks of T: the same, under a name that compilers print where it does not hold.
template <class T> concept E059_elements_are_bool_integers_of_8_to_64_bits_bfloat16_float16_float_double = element<T>;

/// f(std::type_identity<T>()) of the C++ type T of elements whose type is known at run time.
template <int Nth = 0, class F> constexpr decltype(auto) for_dtype(dtype d, F&& f) {
  using T = std::type_identity<element_of<dtype(Nth)>>;
  if constexpr (Nth + 1 == dtype_count) return f(T());
  else return int(d) == Nth ? f(T()) : for_dtype<Nth + 1>(d, f);
}

/// The type in which numbers of this one are computed: memory holds 8 and 16 bits, registers 32.
constexpr dtype computed_in(dtype d) {
  if (bytes_of(d) >= 4 || d == dtype::boolean) return d;
  return is_floating(d) ? dtype::f32 : dtype::i32;
}
constexpr bool is_narrow(dtype d) { return computed_in(d) != d; }

/// No type of integers holds those of both: u64 beside a signed one, of which JAX makes floating numbers.
constexpr bool have_no_common(dtype a, dtype b) {
  if (a == dtype::u64) return row_of(b).family == kind::signed_integer;
  return b == dtype::u64 && row_of(a).family == kind::signed_integer;
}
/// No constant function, so that the compiler names it.
inline void E136_no_element_type_holds_uint64_and_signed_integers() {
  throw "E136: no element type holds uint64_t and signed integers: convert one of them, as in astype<std::int64_t>(x)";
}

/// The same where the element type is one in which numbers are computed. Of any other nothing is called.
template <int Nth = 0, class F> constexpr void for_computed(dtype d, F&& f) {
  if constexpr (Nth < dtype_count) {
    if constexpr (!is_narrow(dtype(Nth)))
      if (int(d) == Nth) return f(std::type_identity<element_of<dtype(Nth)>>());
    for_computed<Nth + 1>(d, f);
  }
}
/// The number of those types, and of one among them.
constexpr int computed_number(dtype d) {
  int n = 0;
  for (int i = 0; i < int(d); ++i) n += !is_narrow(dtype(i));
  return n;
}
inline constexpr int computed_count = computed_number(dtype(dtype_count));

/// The least element type that holds values of both, as JAX's lattice has it.
///
/// errors  E136: u64 with a signed type
/// source  JAX type promotion; u32 with i32 is i64, any integer with f32 is f32, bf16 with f16 is f32
constexpr dtype promote(dtype a, dtype b) {
  if (a == b || b == dtype::boolean) return a;
  if (a == dtype::boolean) return b;
  if (is_floating(a) != is_floating(b)) return is_floating(a) ? a : b;
  if (have_no_common(a, b)) E136_no_element_type_holds_uint64_and_signed_integers();
  dtype wide = bytes_of(a) < bytes_of(b) ? b : a, other = wide == a ? b : a;
  if (is_floating(a)) return bytes_of(a) == bytes_of(b) ? dtype::f32 : wide;
  if (row_of(a).family == row_of(b).family ||
      (row_of(wide).family == kind::signed_integer && bytes_of(wide) > bytes_of(other)))
    return wide;
  for (dtype d : {dtype::i16, dtype::i32})  // a signed type of more digits than the unsigned one
    if (bytes_of(d) > bytes_of(wide)) return d;
  return dtype::i64;
}
/// Does `to` hold all that JAX's lattice lets `from` become?
constexpr bool promotes_to(dtype from, dtype to) { return !have_no_common(from, to) && promote(from, to) == to; }

/// A weak literal (a C++ int, double or bool) beside an array of element type a.
constexpr dtype promote_weak(dtype a, kind literal) {
  if (literal == kind::floating) return is_floating(a) ? a : dtype::f32;
  if (literal == kind::boolean) return a;
  return a == dtype::boolean ? dtype::i32 : a;
}

/// The element type in which a function of the reals (sin, exp, a mean) of this type is computed.
constexpr dtype to_floating(dtype a) { return is_floating(a) ? a : bytes_of(a) == 8 ? dtype::f64 : dtype::f32; }

template <class T> constexpr kind kind_of_literal() {
  if constexpr (std::is_same_v<T, bool>) return kind::boolean;
  else if constexpr (is_real<T>) return kind::floating;
  else return kind::signed_integer;
}

}  // namespace etna
