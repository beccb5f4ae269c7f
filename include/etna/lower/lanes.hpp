// SPDX-License-Identifier: BSD-3-Clause
// How many elements a statement computes at once: one, or a SIMD register of them (xsimd). A kernel
// body is written once for both. Read next: kernel.hpp.
#pragma once
#include <limits>

#include <etna/array/bits.hpp>

#if !defined(__CUDACC__)
#if defined(__AVX512F__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#pragma GCC diagnostic push  // its intrinsics warn of themselves wherever they are used (GCC's bug 105593)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif
#include <xsimd/xsimd.hpp>
#define ETNA_HAS_SIMD 1
#endif

namespace etna::lower {

/// Conversion as the reference has it: to integers truncated and saturated, NaN to 0.
template <class To, class From> ETNA_FN inline To convert_one(From x) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
    if (!(x == x)) return To(0);
    if (x <= From(std::numeric_limits<To>::lowest())) return std::numeric_limits<To>::lowest();
    if (x >= From(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  }
  return To(x);
}

/// One element at a time; bool is bool.
struct one {
  static constexpr int width = 1;
  template <class T> using of = T;
  template <class T> ETNA_FN static T load(T const* p) { return *p; }
  template <class T> ETNA_FN static void store(T* p, T x) { *p = x; }
  template <class T> ETNA_FN static T spread(T x) { return x; }
  template <class T> ETNA_FN static T ramp(T from) { return from; }
  template <class To, class From> ETNA_FN static To convert(From x) { return convert_one<To>(x); }
  template <class T> ETNA_FN static bool mask(T x) { return bool(x); }
  template <class T> ETNA_FN static bool mask_for(bool m) { return m; }
};

#if defined(ETNA_HAS_SIMD)
/// A register of elements, as many as Base fills; all element types of the kernel have Base's size,
/// bool is Base's mask.
template <class Base> struct packed {
  static constexpr int width = int(xsimd::batch<Base>::size);
  using mask_type = xsimd::batch_bool<Base>;
  template <class T> struct of_ { using type = xsimd::batch<T>; };
  template <class T> requires std::is_same_v<T, bool> struct of_<T> { using type = mask_type; };
  template <class T> using of = typename of_<T>::type;
  template <class T> static of<T> load(T const* p) { return of<T>::load_unaligned(p); }
  /// Elements that lie `step` apart, one by one: a gather instruction takes as long, on some processors longer.
  template <class T> static of<T> load(T const* p, std::int64_t step) { return each(p, step, std::make_integer_sequence<int, width>{}); }
  template <class T, int... I> static of<T> each(T const* p, std::int64_t step, std::integer_sequence<int, I...>) { return of<T>(p[I * step]...); }
  template <class T> static void store(T* p, of<T> const& x) { x.store_unaligned(p); }
  template <class T> static void store(T* p, std::int64_t step, of<T> const& x) {
    alignas(64) T lane[width];
    store<T>(lane, x);
    for (int i = 0; i < width; ++i) p[i * step] = lane[i];
  }
  template <class T> static of<T> spread(T x) { return of<T>(x); }
  template <class T> struct numbers {
    alignas(64) T at[width];
    constexpr numbers() : at{} { for (int i = 0; i < width; ++i) at[i] = T(i); }
  };
  template <class T> static constexpr numbers<T> places{};
  template <class T> static of<T> ramp(T from) { return of<T>(from) + of<T>::load_aligned(places<T>.at); }
  template <class T> static of<T> ramp(T from, T step) { return of<T>(from) + of<T>::load_aligned(places<T>.at) * of<T>(step); }
  template <class To, class From> static of<To> convert(of<From> const& x) {
    if constexpr (std::is_same_v<To, From>) return x;
    else if constexpr (std::is_same_v<From, bool>) return xsimd::select(mask_for<To>(x), xsimd::batch<To>(To(1)), xsimd::batch<To>(To(0)));
    else if constexpr (std::is_same_v<From, std::uint32_t> && std::is_same_v<To, float>) {
      // no instruction before AVX-512; both halves are exact, so this rounds once
      auto half = [](of<From> const& v) { return xsimd::batch_cast<float>(xsimd::bitwise_cast<std::int32_t>(v)); };
      return half(x >> 16) * of<float>(65536.f) + half(x & of<From>(0xffffu));
    } else if constexpr (std::is_same_v<To, bool>) return mask(x != xsimd::batch<From>(From(0)));
    else return xsimd::batch_cast<To>(x);
  }
  template <class T> static mask_type mask(xsimd::batch_bool<T> const& m) {
    if constexpr (std::is_same_v<T, Base>) return m;
    else return xsimd::batch_bool_cast<Base>(m);
  }
  template <class T> static auto mask_for(mask_type const& m) {
    if constexpr (std::is_same_v<T, Base> || std::is_same_v<T, bool>) return m;
    else return xsimd::batch_bool_cast<T>(m);
  }
};
#endif

}  // namespace etna::lower
