// SPDX-License-Identifier: BSD-3-Clause
// Elements of one type as those of another: what a conversion means, and how registers do it. A register has as many
// elements of every type: narrower ones are held widened, and each is exactly what it would be alone. Read next:
// lanes.hpp.
#pragma once
#include <bit>
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

#if defined(ETNA_HAS_SIMD)
/// The type that elements T have in registers whose elements have so many bytes.
template <class T, int Bytes> struct held_as : std::type_identity<T> {};
template <class T, int Bytes> requires(int(sizeof(T)) < Bytes && std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct held_as<T, Bytes> : std::conditional<Bytes == 4, std::int32_t, std::int64_t> {};
template <> struct held_as<float, 8> : std::type_identity<double> {};

/// Conversions of registers whose elements have so many bytes. Of bool there is a mask, which lanes.hpp converts.
template <int Bytes> struct conversion {
  template <class T> using held = typename held_as<T, Bytes>::type;
  template <class T> using of = xsimd::batch<held<T>>;
  template <class T> static constexpr bool is_held = !std::is_same_v<T, held<T>>;
  using real = std::conditional_t<Bytes == 4, float, double>;
  using integer = std::conditional_t<Bytes == 4, std::int32_t, std::int64_t>;
  static constexpr int width = int(xsimd::batch<real>::size);

  /// Has every element of these types the reference's result here?
  template <class To, class From> static constexpr bool fits = [] {
    if (std::is_same_v<To, bool> || std::is_same_v<From, bool> || std::is_same_v<To, From>) return true;
    // Would be rounded twice
    if (std::is_floating_point_v<To>) return !(is_held<To> && sizeof(From) == 8 && std::is_integral_v<From>);
    if (std::is_integral_v<From>) return true;
    return sizeof(To) < sizeof(real) || std::is_same_v<To, std::int32_t>;  // no instructions for others before AVX-512
  }();
  template <class To, class From> static of<To> convert(of<From> const& x) {
    if constexpr (std::is_same_v<To, From>) return x;
    else if constexpr (std::is_floating_point_v<From> && std::is_floating_point_v<To>) return exact<To>(x);
    else if constexpr (std::is_floating_point_v<From>) return truncated<To>(x);
    else if constexpr (std::is_floating_point_v<To>) return exact<To>(as_real<From>(x));
    else if constexpr (std::is_same_v<held<To>, held<From>>) return exact<To>(x);
    else return exact<To>(xsimd::batch_cast<held<To>>(x));
  }

  /// Elements rounded, or wrapped, to what type T has.
  template <class T> static of<T> exact(of<T> const& x) {
    if constexpr (!is_held<T>) return x;
    else if constexpr (std::is_floating_point_v<T>) {
      T near[width];
      store<T>(near, x);
      return load<T>(near);
    } else {
      constexpr auto bits = held<T>((std::uint64_t(1) << 8 * sizeof(T)) - 1), sign = held<T>(bits / 2 + 1);
      if constexpr (std::is_unsigned_v<T>) return x & bits;
      else return ((x & bits) ^ sign) - sign;
    }
  }

  template <class T> static of<T> load(T const* p) {
    if constexpr (!is_held<T>) return of<T>::load_unaligned(p);
    else {
#if defined(__AVX512F__)
      if constexpr (Bytes == 4) return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<__m128i const*>(p)));
      else if constexpr (sizeof(T) == 1) {
        __m128i bytes = _mm_loadl_epi64(reinterpret_cast<__m128i const*>(p));
#if defined(__GNUC__) && !defined(__clang__)
        asm(""
            : "+v"(bytes));  // g++ 12 makes one masked instruction of this, the conversion and a choice, then finds no
                             // registers for it
#endif
        return _mm512_cvtepu8_epi64(bytes);
      } else if constexpr (std::is_floating_point_v<T>) return _mm512_cvtps_pd(_mm256_loadu_ps(p));
      else if constexpr (std::is_signed_v<T>)
        return _mm512_cvtepi32_epi64(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(p)));
      else return _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(p)));
#elif defined(__AVX2__)
      if constexpr (Bytes == 4) return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(p)));
      else if constexpr (sizeof(T) == 1) return _mm256_cvtepu8_epi64(_mm_loadu_si32(p));
      else if constexpr (std::is_floating_point_v<T>) return _mm256_cvtps_pd(_mm_loadu_ps(p));
      else if constexpr (std::is_signed_v<T>)
        return _mm256_cvtepi32_epi64(_mm_loadu_si128(reinterpret_cast<__m128i const*>(p)));
      else return _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<__m128i const*>(p)));
#else
      alignas(64) held<T> lane[width];
      for (int i = 0; i < width; ++i) lane[i] = held<T>(p[i]);
      return of<T>::load_aligned(lane);
#endif
    }
  }
  template <class T> static void store(T* p, of<T> const& x) {
    if constexpr (!is_held<T>) x.store_unaligned(p);
    else {
#if defined(__AVX512F__)
      if constexpr (Bytes == 4) _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(x));
      else if constexpr (sizeof(T) == 1) _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm512_cvtepi64_epi8(x));
      else if constexpr (std::is_floating_point_v<T>) _mm256_storeu_ps(p, _mm512_cvtpd_ps(x));
      else _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi64_epi32(x));
#elif defined(__AVX2__)
      if constexpr (Bytes == 4) {
        __m128i const words = _mm_packus_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
        _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi16(words, words));
      } else if constexpr (std::is_floating_point_v<T>) _mm_storeu_ps(p, _mm256_cvtpd_ps(x));
      else {
        __m128i const half =
            _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)));
        if constexpr (sizeof(T) == 4) _mm_storeu_si128(reinterpret_cast<__m128i*>(p), half);
        else _mm_storeu_si32(p, _mm_shuffle_epi8(half, _mm_set1_epi32(0x0c080400)));
      }
#else
      alignas(64) held<T> lane[width];
      x.store_aligned(lane);
      for (int i = 0; i < width; ++i) p[i] = T(lane[i]);
#endif
    }
  }

 private:
  static constexpr double shift = 0x1.8p52;  // in sums with it, the last bits are those of a small integer
  template <class From> static xsimd::batch<real> as_real(of<From> const& x) {
    if constexpr (std::is_same_v<From, std::uint32_t> && Bytes == 4) {
      // no instruction before AVX-512; both halves are exact, so this rounds once
      auto half = [](of<From> const& v) { return xsimd::batch_cast<float>(xsimd::bitwise_cast<std::int32_t>(v)); };
      return half(x >> 16) * xsimd::batch<float>(65536.f) + half(x & of<From>(0xffffu));
    } else if constexpr (Bytes == 4 || !is_held<From>) return xsimd::batch_cast<real>(x);
    else return xsimd::bitwise_cast<double>(x + std::bit_cast<std::int64_t>(shift)) - shift;
  }
  template <class To> static of<To> truncated(xsimd::batch<real> const& x) {
    using limits = std::numeric_limits<To>;
    using reals = xsimd::batch<real>;
    reals const number = xsimd::select(x == x, x, reals(0)),
                above_least = xsimd::max(number, reals(real(limits::lowest())));
    if constexpr (Bytes == 8) {
      reals const whole = xsimd::trunc(xsimd::min(above_least, reals(real(limits::max()))));
      return xsimd::bitwise_cast<std::int64_t>(whole + shift) - std::bit_cast<std::int64_t>(shift);
    } else if constexpr (is_held<To>)
      return xsimd::batch_cast<integer>(xsimd::min(above_least, reals(real(limits::max()))));
    else {
      reals const past = reals(-real(limits::lowest()));  // the greatest is none of these
      return xsimd::select(xsimd::batch_bool_cast<integer>(number >= past), of<To>(limits::max()),
                           xsimd::batch_cast<integer>(above_least));
    }
  }
};
#endif

}  // namespace etna::lower
