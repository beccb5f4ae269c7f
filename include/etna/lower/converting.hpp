// SPDX-License-Identifier: BSD-3-Clause
// Elements of one type as those of another: what a conversion means, and how registers do it. A register has as many
// elements of every type: narrower ones are held widened, and each is exactly what it would be alone. Read next:
// lanes.hpp.
#pragma once
#include <bit>
#include <limits>

#include <etna/array/bits.hpp>
#include <etna/platform.hpp>

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
  if constexpr (element<From> && is_narrow(dtype_of<From>) && is_real<From>) return convert_one<To>(float(x));
  else {
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && !std::is_same_v<To, bool>) {
      if (!(x == x)) return To(0);
      if (x <= From(std::numeric_limits<To>::lowest())) return std::numeric_limits<To>::lowest();
      if (x >= From(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    }
    return To(x);
  }
}

#if defined(ETNA_HAS_SIMD)
template <int Bytes> using integer_of_size =
    std::tuple_element_t<std::bit_width(unsigned(Bytes)) - 1,
                         std::tuple<std::int8_t, std::int16_t, std::int32_t, std::int64_t>>;
/// The type that elements T have in registers whose elements have so many bytes.
template <class T, int Bytes> struct held_as : std::type_identity<T> {};
template <class T, int Bytes> requires(int(sizeof(T)) < Bytes && !std::is_same_v<T, bool>)
struct held_as<T, Bytes>
    : std::conditional<is_real<T>, std::conditional_t<Bytes == 4, float, double>, integer_of_size<Bytes>> {};

/// To 16 bits or less from what f32 does not have exactly: f32 between would round twice.
constexpr bool converts_one_by_one(dtype to, dtype from) {
  return is_floating(to) && bytes_of(to) < 4 && bytes_of(from) >= 4 && from != dtype::f32;
}
/// Has every element of these types the reference's result, in lanes of so many bytes?
constexpr bool conversion_fits(int bytes, dtype to, dtype from) {
  int const size = bytes_of(to), from_size = bytes_of(from);
  if (bytes < 4) return !is_floating(to) && !is_floating(from) && size <= bytes && from_size <= bytes;
  if (to == dtype::boolean || from == dtype::boolean || to == from) return true;
  if (to == dtype::u64 || from == dtype::u64) return false;
  if (is_floating(to))  // no element may be rounded twice
    return size >= bytes || from_size < 8 || is_floating(from) || converts_one_by_one(to, from);
  if (!is_floating(from)) return true;
  return size < bytes || to == dtype::i32;  // no instructions for others before AVX-512
}
/// Conversions of registers whose elements have so many bytes. Of bool there is a mask, which lanes.hpp converts.
template <int Bytes> struct conversion {
  template <class T> using held = typename held_as<T, Bytes>::type;
  template <class T> using of = xsimd::batch<held<T>>;
  template <class T> static constexpr bool is_held = !std::is_same_v<T, held<T>>;
  using real = std::conditional_t<Bytes == 4, float, double>;
  using integer = integer_of_size<Bytes>;
  static constexpr int width = int(xsimd::batch<integer>::size);

  template <class T> static constexpr bool is_half = is_real<T> && sizeof(T) < 4;
  template <class To, class From> static constexpr bool one_by_one = converts_one_by_one(dtype_of<To>, dtype_of<From>);
  template <class To, class From> static constexpr bool fits = conversion_fits(Bytes, dtype_of<To>, dtype_of<From>);
  /// Loaded: x is what memory had. A real value of 16 bits is rounded where it is stored, or converted once more.
  template <class To, class From, bool Loaded = false> static of<To> convert(of<From> const& x) {
    if constexpr (std::is_same_v<To, From>) return x;
    else if constexpr (is_half<From> && !Loaded) return convert<To, From, true>(exact<From>(x));
    else if constexpr (one_by_one<To, From>) return each<To, From>(x);
    else if constexpr (is_half<To> && std::is_same_v<From, float>) return x;
    else if constexpr (is_real<From> && is_real<To>) return exact<To>(x);
    else if constexpr (is_real<From>) return truncated<To>(x);
    else if constexpr (is_real<To>) return exact<To>(as_real<From>(x));
    else if constexpr (std::is_same_v<held<To>, held<From>>) return exact<To>(x);
    else if constexpr (Bytes < 4) return exact<To>(xsimd::bitwise_cast<held<To>>(x));
    else return exact<To>(xsimd::batch_cast<held<To>>(x));
  }

  /// Elements rounded, or wrapped, to what type T has.
  template <class T> static of<T> exact(of<T> const& x) {
    if constexpr (!is_held<T>) return x;
    else if constexpr (std::is_same_v<T, bfloat16> && Bytes == 4) return near_bfloat16(x);
    else if constexpr (is_real<T>) {
      alignas(64) T near[width];
      store_near<T>(near, x);
      return load<T>(near);
    } else {
      constexpr auto bits = held<T>((std::uint64_t(1) << 8 * sizeof(T)) - 1), sign = held<T>(bits / 2 + 1);
      if constexpr (std::is_unsigned_v<T>) return x & bits;
      else return ((x & bits) ^ sign) - sign;
    }
  }

  template <class T> static of<T> load(T const* p) {
    if constexpr (!is_held<T>) return of<T>::load_unaligned(p);
    else if constexpr (Bytes == 2) return load_bytes<T>(p);
    else if constexpr (sizeof(T) == 2) return load_halves<T>(p);
    else if constexpr (is_half<T>) return load_each<T>(p);
    else {
#if defined(__AVX512F__)
      if constexpr (Bytes == 4) {
        __m128i const bytes = _mm_loadu_si128(reinterpret_cast<__m128i const*>(p));
        if constexpr (std::is_signed_v<T>) return _mm512_cvtepi8_epi32(bytes);
        else return _mm512_cvtepu8_epi32(bytes);
      } else if constexpr (sizeof(T) == 1) {
        __m128i bytes = _mm_loadl_epi64(reinterpret_cast<__m128i const*>(p));
#if defined(__GNUC__) && !defined(__clang__)
        asm(""
            : "+v"(bytes));  // g++ 12 makes one masked instruction of this, the conversion and a choice, then finds no
                             // registers for it
#endif
        if constexpr (std::is_signed_v<T>) return _mm512_cvtepi8_epi64(bytes);
        else return _mm512_cvtepu8_epi64(bytes);
      } else if constexpr (is_real<T>) return _mm512_cvtps_pd(_mm256_loadu_ps(p));
      else if constexpr (std::is_signed_v<T>)
        return _mm512_cvtepi32_epi64(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(p)));
      else return _mm512_cvtepu32_epi64(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(p)));
#elif defined(__AVX2__)
      if constexpr (Bytes == 4) {
        __m128i const bytes = _mm_loadl_epi64(reinterpret_cast<__m128i const*>(p));
        if constexpr (std::is_signed_v<T>) return _mm256_cvtepi8_epi32(bytes);
        else return _mm256_cvtepu8_epi32(bytes);
      } else if constexpr (sizeof(T) == 1) {
        if constexpr (std::is_signed_v<T>) return _mm256_cvtepi8_epi64(_mm_loadu_si32(p));
        else return _mm256_cvtepu8_epi64(_mm_loadu_si32(p));
      } else if constexpr (is_real<T>) return _mm256_cvtps_pd(_mm_loadu_ps(p));
      else if constexpr (std::is_signed_v<T>)
        return _mm256_cvtepi32_epi64(_mm_loadu_si128(reinterpret_cast<__m128i const*>(p)));
      else return _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<__m128i const*>(p)));
#else
      return load_each<T>(p);
#endif
    }
  }
  /// May elements T be stored past the caches: as what one instruction stores?
  template <class T> static constexpr bool streams = !is_held<T> ||
#if defined(__AVX2__) && defined(__F16C__)
                                                     (Bytes == 4 && sizeof(T) == 2);
#else
                                                     false;
#endif
  /// Past: the caches, to where they lie in one piece.
  template <class T, bool Past = false> static void store(T* p, of<T> const& x) {
    if constexpr (!is_held<T> && Past) x.store(p, xsimd::stream_mode{});
    else if constexpr (!is_held<T>) x.store_unaligned(p);
    else if constexpr (is_half<T>) store_near<T, Past>(p, x);
    else if constexpr (Bytes == 2) {
#if defined(__AVX512BW__)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi16_epi8(x));
#elif defined(__AVX2__)
      __m256i const low = _mm256_and_si256(x, _mm256_set1_epi16(255));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                       _mm_packus_epi16(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
#else
      store_each<T>(p, x);
#endif
    } else {
#if defined(__AVX512F__)
      if constexpr (Bytes == 4 && sizeof(T) == 1)
        _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi32_epi8(x));
      else if constexpr (Bytes == 4) put<Past>(p, halves(x));
      else if constexpr (sizeof(T) == 1) _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm512_cvtepi64_epi8(x));
      else if constexpr (sizeof(T) == 2) _mm_storeu_si128(reinterpret_cast<__m128i*>(p), _mm512_cvtepi64_epi16(x));
      else if constexpr (is_real<T>) _mm256_storeu_ps(p, _mm512_cvtpd_ps(x));
      else _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi64_epi32(x));
#elif defined(__AVX2__)
      if constexpr (Bytes == 4) {
        __m128i const low = halves(_mm256_and_si256(x, _mm256_set1_epi32((1 << 8 * sizeof(T)) - 1)));
        if constexpr (sizeof(T) == 2) put<Past>(p, low);
        else _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi16(low, low));
      } else if constexpr (is_real<T>) _mm_storeu_ps(p, _mm256_cvtpd_ps(x));
      else if constexpr (sizeof(T) == 2) store_each<T>(p, x);
      else {
        __m128i const half =
            _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(x, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6)));
        if constexpr (sizeof(T) == 4) _mm_storeu_si128(reinterpret_cast<__m128i*>(p), half);
        else _mm_storeu_si32(p, _mm_shuffle_epi8(half, _mm_set1_epi32(0x0c080400)));
      }
#else
      store_each<T>(p, x);
#endif
    }
  }

 private:
#if defined(__AVX512F__)
  template <bool Past> static void put(void* p, __m256i x) {
    if constexpr (Past) _mm256_stream_si256(static_cast<__m256i*>(p), x);
    else _mm256_storeu_si256(static_cast<__m256i*>(p), x);
  }
  /// Integers of 16 bits, held in 32.
  static __m256i halves(__m512i x) { return _mm512_cvtepi32_epi16(x); }
#elif defined(__AVX2__)
  template <bool Past> static void put(void* p, __m128i x) {
    if constexpr (Past) _mm_stream_si128(static_cast<__m128i*>(p), x);
    else _mm_storeu_si128(static_cast<__m128i*>(p), x);
  }
  /// Integers of 16 bits without a sign, held in 32.
  static __m128i halves(__m256i x) {
    return _mm_packus_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  }
#endif
  template <class To, class From> static of<To> each(of<From> const& x) {
    alignas(64) From from[width];
    alignas(64) To to[width];
    store<From>(from, x);
    for (int i = 0; i < width; ++i) to[i] = To(from[i]);
    return load<To>(to);
  }
  template <class T> static of<T> load_each(T const* p) {
    alignas(64) held<T> lane[width];
    for (int i = 0; i < width; ++i) lane[i] = held<T>(p[i]);
    return of<T>::load_aligned(lane);
  }
  template <class T> static void store_each(T* p, of<T> const& x) {
    alignas(64) held<T> lane[width];
    x.store_aligned(lane);
    for (int i = 0; i < width; ++i) p[i] = T(lane[i]);
  }
  /// Bytes, held in 16 bits.
  template <class T> static of<T> load_bytes(T const* p) {
#if defined(__AVX512BW__)
    __m256i const bytes = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(p));
    if constexpr (std::is_signed_v<T>) return _mm512_cvtepi8_epi16(bytes);
    else return _mm512_cvtepu8_epi16(bytes);
#elif defined(__AVX2__)
    __m128i const bytes = _mm_loadu_si128(reinterpret_cast<__m128i const*>(p));
    if constexpr (std::is_signed_v<T>) return _mm256_cvtepi8_epi16(bytes);
    else return _mm256_cvtepu8_epi16(bytes);
#else
    return load_each<T>(p);
#endif
  }
  template <class T> static of<T> load_halves(T const* p) {
    if constexpr (std::is_same_v<T, bfloat16> && Bytes == 4)
      return xsimd::bitwise_cast<float>(load<std::uint16_t>(reinterpret_cast<std::uint16_t const*>(p)) << 16);
    else {
#if defined(__AVX512F__)
      if constexpr (Bytes == 4) {
        __m256i const halves = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(p));
        if constexpr (std::is_same_v<T, float16>) return _mm512_cvtph_ps(halves);
        else if constexpr (std::is_signed_v<T>) return _mm512_cvtepi16_epi32(halves);
        else return _mm512_cvtepu16_epi32(halves);
      } else if constexpr (std::is_integral_v<T>) {
        __m128i const halves = _mm_loadu_si128(reinterpret_cast<__m128i const*>(p));
        if constexpr (std::is_signed_v<T>) return _mm512_cvtepi16_epi64(halves);
        else return _mm512_cvtepu16_epi64(halves);
      } else return load_each<T>(p);
#elif defined(__AVX2__)
      if constexpr (Bytes == 4) {
        __m128i const halves = _mm_loadu_si128(reinterpret_cast<__m128i const*>(p));
        if constexpr (std::is_same_v<T, float16>) {
#if defined(__F16C__)
          return _mm256_cvtph_ps(halves);
#else
          return load_each<T>(p);
#endif
        } else if constexpr (std::is_signed_v<T>) return _mm256_cvtepi16_epi32(halves);
        else return _mm256_cvtepu16_epi32(halves);
      } else return load_each<T>(p);
#else
      return load_each<T>(p);
#endif
    }
  }
  /// Numbers of 16 bits, rounded.
  template <class T, bool Past = false> static void store_near(T* p, of<T> const& x) {
#if defined(__AVX512F__)
    if constexpr (std::is_same_v<T, float16> && Bytes == 4)
      return put<Past>(p, _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
#elif defined(__AVX2__) && defined(__F16C__)
    if constexpr (std::is_same_v<T, float16> && Bytes == 4)
      return put<Past>(p, _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
#endif
    if constexpr (std::is_same_v<T, bfloat16> && Bytes == 4) {
#if defined(__AVX512BF16__) && defined(__AVX512DQ__)
      // the instruction takes subnormal numbers for 0, and keeps payloads of NaN
      constexpr int nan_or_subnormal = 0xa1;
      if (_mm512_fpclass_ps_mask(x, nan_or_subnormal) == 0)
        return put<Past>(p, std::bit_cast<__m256i>(_mm512_cvtneps_pbh(x)));
#endif
      auto const near = as_integers(halves_near(x));
#if defined(__AVX2__)
      put<Past>(p, halves(near));
#else
      store<std::uint16_t>(reinterpret_cast<std::uint16_t*>(p), near);
#endif
    } else if constexpr (std::is_same_v<T, float>) store<T>(p, x);
    else store_each<T>(p, x);
  }
  static xsimd::batch<std::uint32_t> bits_of(xsimd::batch<float> const& x) {
    return xsimd::bitwise_cast<std::uint32_t>(x);
  }
  static xsimd::batch<std::int32_t> as_integers(xsimd::batch<std::uint32_t> const& x) {
    return xsimd::bitwise_cast<std::int32_t>(x);
  }
  /// To the nearest, of two the even one: the carry of what is cut off. A NaN stays one, quiet and without payload.
  static xsimd::batch<float> near_bfloat16(xsimd::batch<float> const& x) {
    return xsimd::bitwise_cast<float>(halves_near(x) << 16);
  }
  /// The same as integers of 16 bits.
  static xsimd::batch<std::uint32_t> halves_near(xsimd::batch<float> const& x) {
    using word = xsimd::batch<std::uint32_t>;
    word const b = bits_of(x), high = b >> 16, near = (b + (word(0x7fff) + (high & word(1)))) >> 16;
    return xsimd::select(xsimd::batch_bool_cast<std::uint32_t>(x == x), near, (high & word(0x8000u)) | word(0x7fc0u));
  }
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
