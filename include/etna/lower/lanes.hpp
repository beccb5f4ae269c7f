// SPDX-License-Identifier: BSD-3-Clause
// How many elements a statement computes at once: one, or a SIMD register of them (xsimd). A kernel
// body is written once for both. Read next: kernel.hpp.
#pragma once
#include <bit>

#include "converting.hpp"

namespace etna::lower {

/// One element at a time; bool is bool.
struct one {
  static constexpr int width = 1;
  template <class T> using of = T;
  template <class T> ETNA_FN static T load(T const* p) { return *p; }
  template <class T> ETNA_FN static void store(T* p, T x) { *p = x; }
  template <class T> ETNA_FN static T spread(T x) { return x; }
  template <class T> ETNA_FN static T ramp(std::int64_t from, std::int64_t = 1) { return T(from); }
  template <class To, class From, bool = false> ETNA_FN static To convert(From x) { return convert_one<To>(x); }
  template <class T> ETNA_FN static T exact(T x) { return x; }
  template <class T> ETNA_FN static bool mask(T x) { return bool(x); }
  template <class T> ETNA_FN static bool mask_for(bool m) { return m; }
  template <class To, class T, class F> ETNA_FN static To joined(F, T x) { return To(x); }
};

/// What was stored past the caches is seen before what this thread stores next.
inline void end_of_stream() {
#if defined(__SSE2__)
  __builtin_ia32_sfence();
#endif
}

#if defined(ETNA_HAS_SIMD)
/// A smaller register of N elements, or void.
template <class T, std::size_t N> struct part_of_register {
  using type = xsimd::make_sized_batch_t<T, N>;
};
#if defined(__AVX512VL__)
// The same instructions of AVX2: g++ has no macro of `select` for xsimd's int32 where it does not optimise.
template <> struct part_of_register<std::int32_t, 8> {
  using type = xsimd::batch<std::int32_t, xsimd::avx2>;
};
template <> struct part_of_register<std::int32_t, 4> {
  using type = xsimd::batch<std::int32_t, xsimd::sse4_2>;
};
#endif
template <class T, std::size_t N> using part_of_register_t = typename part_of_register<T, N>::type;

/// A register of elements, as many as Base fills. Those of a type narrower than Base are held widened, bool is Base's
/// mask.
template <class Base> struct packed {
  using to = conversion<int(sizeof(Base))>;
  static constexpr int width = to::width;
  using mask_type = xsimd::batch_bool<Base>;
  template <class T> struct of_ {
    using type = typename to::template of<T>;
  };
  template <class T> requires std::is_same_v<T, bool>
  struct of_<T> {
    using type = mask_type;
  };
  template <class T> using of = typename of_<T>::type;
  template <class T> using held = typename to::template held<T>;
  template <class T> static of<T> load(T const* p) {
    if constexpr (std::is_same_v<T, bool>) return of<T>::load_unaligned(p);
    else return to::template load<T>(p);
  }
  /// Elements that lie `step` apart: every other one, or from the last to the first, by a permutation; else one by one,
  /// since a gather instruction takes as long, on some processors longer.
  template <class T> static of<T> load(T const* p, std::int64_t step) {
    if constexpr (std::is_same_v<held<T>, T> && sizeof(T) >= 4) {
      if (step == 2) return every_other<T>(load<T>(p), load<T>(p + width - 1));
      if (step == -1) return reversed<T>(load<T>(p - (width - 1)));
    }
    return each<T>([&](int i) { return p[i * step]; });
  }
  /// Elements 0, 2, ... of what begins in x and ends in y, which have one in common.
  template <class T> static of<T> every_other(of<T> const& x, of<T> const& y) {
    return [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
      return permuted<of<T>, (2 * Nth + (Nth >= width / 2))...>(x, y);
    }(std::make_integer_sequence<int, width>{});
  }
  template <class T> static of<T> reversed(of<T> const& x) {
    return [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
      return permuted<of<T>, (width - 1 - Nth)...>(x, x);
    }(std::make_integer_sequence<int, width>{});
  }
  /// Element i is f(i).
  template <class T, class F> static of<T> each(F const& f) {
    return [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
      return of<T>(held<T>(f(Nth))...);
    }(std::make_integer_sequence<int, width>{});
  }
  /// The elements at these places, one by one or by an instruction (tuning::gathers).
  template <class T, class Place> static of<T> pick(T const* p, Place const (&at)[width]) {
#if defined(__AVX512F__)
    using bits = typename of<T>::register_type;
    if constexpr (tuning::gathers && std::is_same_v<held<T>, T> && !std::is_same_v<T, bool>) {
      if constexpr (sizeof(T) == 4 && sizeof(Place) == 4)
        return std::bit_cast<bits>(_mm512_i32gather_epi32(_mm512_loadu_si512(at), p, 4));
      else if constexpr (sizeof(T) == 8 && sizeof(Place) == 8)
        return std::bit_cast<bits>(_mm512_i64gather_epi64(_mm512_loadu_si512(at), p, 8));
      else if constexpr (sizeof(T) == 8)
        return std::bit_cast<bits>(
            _mm512_i32gather_epi64(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(at)), p, 8));
    }
#endif
    return each<T>([&](int i) { return p[at[i]]; });
  }
  /// May a table of some registers be looked up by permutations of these?
  template <class T> static constexpr bool has_tables =
#if defined(__AVX512F__)
      std::is_same_v<held<T>, T> && !std::is_same_v<T, bool> && sizeof(of<T>) == 64 && sizeof(T) * width == 64;
#else
      false;
#endif
#if defined(__AVX512F__)
  /// The elements at these places of a table of so many, 256 bytes at most.
  template <class T, int Size, class Place> static of<T> look_up(T const* p, Place const (&at)[width]) {
    using bits = typename of<T>::register_type;
    auto part = [&](int k) {  // of the table; nothing behind it is read
      int const left = std::clamp(Size - k * width, 0, width);
      auto const set = (1u << left) - 1;
      if constexpr (sizeof(T) == 4) return _mm512_maskz_loadu_epi32(__mmask16(set), p + k * width);
      else return _mm512_maskz_loadu_epi64(__mmask8(set), p + k * width);
    };
    auto const index = [&] {
      if constexpr (sizeof(T) == sizeof(Place)) return _mm512_loadu_si512(at);
      else if constexpr (sizeof(T) == 4)
        return _mm512_inserti64x4(_mm512_castsi256_si512(_mm512_cvtepi64_epi32(_mm512_loadu_si512(at))),
                                  _mm512_cvtepi64_epi32(_mm512_loadu_si512(at + width / 2)), 1);
      else return _mm512_cvtepi32_epi64(_mm256_loadu_si256(reinterpret_cast<__m256i const*>(at)));
    }();
    auto two = [&](int k) {
      if constexpr (sizeof(T) == 4) return _mm512_permutex2var_epi32(part(k), index, part(k + 1));
      else return _mm512_permutex2var_epi64(part(k), index, part(k + 1));
    };
    if constexpr (Size <= 2 * width) return of<T>(std::bit_cast<bits>(two(0)));
    else if constexpr (sizeof(T) == 4)
      return of<T>(std::bit_cast<bits>(
          _mm512_mask_blend_epi32(_mm512_test_epi32_mask(index, _mm512_set1_epi32(32)), two(0), two(2))));
    else
      return of<T>(std::bit_cast<bits>(
          _mm512_mask_blend_epi64(_mm512_test_epi64_mask(index, _mm512_set1_epi64(16)), two(0), two(2))));
  }
#endif
  /// Elements [from, to) as they lie at p, where nothing else is read, and those of x before and behind.
  template <class T> static of<T> load_over(T const* p, int from, int to, of<T> const& x) {
#if defined(__AVX512F__)
    using bits = typename of<T>::register_type;
    if constexpr (std::is_same_v<held<T>, T> && sizeof(T) >= 4 && sizeof(bits) == 64) {
      unsigned const set = (1u << to) - (1u << from);  // fewer lanes than an unsigned has bits
      if constexpr (sizeof(T) == 4)
        return std::bit_cast<bits>(_mm512_mask_loadu_epi32(std::bit_cast<__m512i>(x.data), __mmask16(set), p));
      else if constexpr (sizeof(T) == 8)
        return std::bit_cast<bits>(_mm512_mask_loadu_epi64(std::bit_cast<__m512i>(x.data), __mmask8(set), p));
    }
#endif
    alignas(64) T lane[width];
    store<T>(lane, x);
    for (int i = from; i < to; ++i) lane[i] = p[i];
    return load<T>(lane);
  }
  template <class T> static void store(T* p, of<T> const& x) {
    if constexpr (std::is_same_v<T, bool>) x.store_unaligned(p);
    else to::template store<T>(p, x);
  }
  template <class T> static void store(T* p, std::int64_t step, of<T> const& x) {
    alignas(64) T lane[width];
    store<T>(lane, x);
    for (int i = 0; i < width; ++i) p[i * step] = lane[i];
  }
  template <class T> static of<T> spread(T x) { return of<T>(held<T>(x)); }
  /// x in lanes of which all bits are set, y where none are.
  template <class T, class Bits> static of<T> chosen(Bits const& set, of<T> const& x, of<T> const& y) {
    Bits const all = (set & std::bit_cast<Bits>(x.data)) | (~set & std::bit_cast<Bits>(y.data));
    return of<T>(std::bit_cast<typename of<T>::register_type>(all));
  }
  /// Past the caches, to where a register's elements may lie in one piece; end_of_stream() comes behind the last.
  template <class T> static constexpr bool streams = !std::is_same_v<T, bool> && to::template streams<T>;
  template <class T> static void stream(T* p, of<T> const& x) { to::template store<T, true>(p, x); }
  template <class T> struct numbers {
    alignas(64) T at[width];
    constexpr numbers() : at{} {
      for (int i = 0; i < width; ++i) at[i] = T(i);
    }
  };
  template <class T> static constexpr numbers<T> places{};
  /// What a T would be, which is held widened.
  template <class T> static of<T> exact(of<T> const& x) { return to::template exact<T>(x); }
  /// from, from + 1, ..., or by steps: each is rounded once.
  template <class T> static of<T> ramp(std::int64_t from) {
    if (!are_exact<T>(from, width)) return rounded_ramp<T>(from, 1);
    return to::template exact<T>(of<T>(held<T>(from)) + of<T>::load_aligned(places<held<T>>.at));
  }
  template <class T> static of<T> ramp(std::int64_t from, std::int64_t step) {
    if (!are_exact<T>(from, width * step)) return rounded_ramp<T>(from, step);
    return to::template exact<T>(of<T>(held<T>(from)) + of<T>::load_aligned(places<held<T>>.at) * of<T>(held<T>(step)));
  }
  /// Has what a T is held as all numbers from there on up to so many behind?
  template <class T> static bool are_exact(std::int64_t from, std::int64_t reach) {
    constexpr std::int64_t most = std::int64_t(1) << 24;
    auto const has = [](std::int64_t i) { return -most <= i && i <= most; };
    return !std::is_same_v<held<T>, float> || (has(from) && has(from + reach));
  }
  template <class T> ETNA_NOINLINE static of<T> rounded_ramp(std::int64_t from, std::int64_t step) {
    return each<T>([&](int i) { return T(from + i * step); });
  }
  /// Elements `Shift` and following of x with y behind it.
  template <class T, int Shift> static of<T> between(of<T> const& x, of<T> const& y) {
    static_assert(0 < Shift && Shift < width);
    if constexpr (!std::is_same_v<T, bool>) return picked<of<T>, Shift>(x, y);
    else {
      alignas(64) bool lane[2 * width];
      store<bool>(lane, x);
      store<bool>(lane + width, y);
      return load<bool>(lane + Shift);
    }
  }
  /// As many elements as a To has, from element From of x with y behind it.
  template <class To, int From, class X> static To picked(X const& x, X const& y) {
    return [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
      return permuted<To, (From + Nth)...>(x, y);
    }(std::make_integer_sequence<int, int(To::size)>{});
  }
  /// These elements of x with y behind it.
  template <class To, int... At, class X> static To permuted(X const& x, X const& y) {
    typedef typename X::value_type vector __attribute__((vector_size(sizeof(X))));
    return To(std::bit_cast<typename To::register_type>(
        __builtin_shufflevector(std::bit_cast<vector>(x.data), std::bit_cast<vector>(y.data), At...)));
  }
  /// All elements of x as one number, computed in To by f: halves together, as a tree, since one by one each waits for
  /// the last.
  template <class To, class T, class F> static To joined(F f, of<T> const& x) {
    if constexpr (std::is_same_v<To, T> && std::is_same_v<held<T>, T> && !std::is_same_v<T, bool>) return halved(f, x);
    else {
      alignas(64) T lane[width];
      alignas(64) To sum[width];
      store<T>(lane, x);
      for (int i = 0; i < width / 2; ++i) sum[i] = To(f(To(lane[i]), To(lane[i + width / 2])));
      using half = part_of_register_t<To, width / 2>;
      if constexpr (std::is_floating_point_v<To> && !std::is_void_v<half>) return halved(f, half::load_aligned(sum));
      for (int h = width / 4; h > 0; h /= 2)
        for (int i = 0; i < h; ++i) sum[i] = To(f(sum[i], sum[i + h]));
      return sum[0];
    }
  }
  template <class F, class X> static typename X::value_type halved(F f, X const& x) {
    using half = part_of_register_t<typename X::value_type, X::size / 2>;
    if constexpr (std::is_void_v<half>) return folded<int(X::size / 2)>(f, x);
    else return halved(f, half(f(picked<half, 0>(x, x), picked<half, int(X::size / 2)>(x, x))));
  }
  // Within the smallest register. (g++ takes xsimd's reduce for no constant shuffle where it does not optimise.)
  template <int Half, class F, class X> static typename X::value_type folded(F f, X const& x) {
    if constexpr (Half == 0) return x.get(0);
    else return folded<Half / 2>(f, X(f(x, picked<X, Half>(x, x))));
  }
  /// Of Count registers one, in pairs, as a tree: neighbours that are N lanes apart are together, by f, those of x[i]
  /// and of x[i + Count / 2] side by side; then the same of neighbours that are N / 2 apart. With as many registers as
  /// lanes, and N half as many, element i of the last is all elements of x[i]. (x is where it is computed.)
  template <int Count, int N, class T, class F> ETNA_INLINE static of<T> joined_pairs(F f, of<T>* x) {
    if constexpr (Count == 1) return x[0];
    else {
      ETNA_UNROLL for (int i = 0; i < Count / 2; ++i) {
        of<T> const own = beside<T, N, 0>(x[i], x[i + Count / 2]), other = beside<T, N, N>(x[i], x[i + Count / 2]);
        x[i] = of<T>(f(own, other));
      }
      return joined_pairs<Count / 2, N / 2, T>(f, x);
    }
  }
  /// Lane l of the result is lane l ^ Across of x, or of y where l & N.
  template <class T, int N, int Across> static of<T> beside(of<T> const& x, of<T> const& y) {
    return [&]<int... L>(std::integer_sequence<int, L...>) {
      typedef typename of<T>::value_type vector __attribute__((vector_size(sizeof(x))));
      return of<T>(std::bit_cast<typename of<T>::register_type>(
          __builtin_shufflevector(std::bit_cast<vector>(x.data), std::bit_cast<vector>(y.data),
                                  ((L & N) != 0 ? width + (L ^ Across) : L ^ Across)...)));
    }(std::make_integer_sequence<int, width>{});
  }
  template <class To, class From, bool Loaded = false> static of<To> convert(of<From> const& x) {
    if constexpr (std::is_same_v<To, From>) return x;
    else if constexpr (std::is_same_v<From, bool>)
      return xsimd::select(mask_for<To>(x), spread<To>(To(1)), spread<To>(To(0)));
    else if constexpr (std::is_same_v<To, bool>) return mask(x != spread<From>(From(0)));
    else return to::template convert<To, From, Loaded>(x);
  }
  template <class T> static mask_type mask(xsimd::batch_bool<T> const& m) {
    if constexpr (std::is_same_v<T, Base>) return m;
    else return xsimd::batch_bool_cast<Base>(m);
  }
  template <class T> static auto mask_for(mask_type const& m) {
    if constexpr (std::is_same_v<held<T>, Base> || std::is_same_v<T, bool>) return m;
    else return xsimd::batch_bool_cast<held<T>>(m);
  }
};

/// Half as many elements in a whole register, each of which is there twice: for rows of fewer than a register has.
/// (Zeros beside them would be divided by.)
template <class Base> struct packed_half : packed<Base> {
  using whole = packed<Base>;
  static constexpr int width = whole::width / 2;
  template <class T> using of = typename whole::template of<T>;
  template <class T> using held = typename whole::template held<T>;
  template <class T> using half = part_of_register_t<T, std::size_t(width)>;
  template <class T> static constexpr bool is_moved_whole = [] {
    if constexpr (std::is_same_v<T, bool> || !std::is_same_v<held<T>, T>) return false;
    else return !std::is_void_v<half<T>>;
  }();
  template <class T> static of<T> load(T const* p) {
    if constexpr (is_moved_whole<T>) {
#if defined(__AVX512F__)  // a load, no shuffle. (g++ warns of the form without a mask.)
      if constexpr (sizeof(half<T>) == 32)
        return std::bit_cast<typename of<T>::register_type>(
            _mm512_maskz_broadcast_f64x4(0xff, std::bit_cast<__m256d>(half<T>::load_unaligned(p).data)));
#elif defined(__AVX__)
      if constexpr (sizeof(half<T>) == 16)
        return std::bit_cast<typename of<T>::register_type>(_mm256_broadcast_pd(reinterpret_cast<__m128d const*>(p)));
#endif
      half<T> const x = half<T>::load_unaligned(p);
      return [&]<int... Nth>(std::integer_sequence<int, Nth...>) {
        typedef T vector __attribute__((vector_size(width * sizeof(T))));
        return of<T>(std::bit_cast<typename of<T>::register_type>(
            __builtin_shufflevector(std::bit_cast<vector>(x.data), std::bit_cast<vector>(x.data), (Nth % width)...)));
      }(std::make_integer_sequence<int, whole::width>{});
    } else {
      alignas(64) T twice[whole::width];
      for (int i = 0; i < width; ++i) twice[i] = twice[i + width] = p[i];
      return whole::template load<T>(twice);
    }
  }
  template <class T> static of<T> load(T const* p, std::int64_t step) {
    return each<T>([&](int i) { return p[i * step]; });
  }
  template <class T, class F> static of<T> each(F const& f) {
    return whole::template each<T>([&](int i) { return f(i % width); });
  }
  template <class T> static of<T> ramp(std::int64_t from, std::int64_t step = 1) {
    return each<T>([&](int i) { return T(from + i * step); });
  }
  template <class T, class Place> static of<T> pick(T const* p, Place const (&at)[width]) {
    return each<T>([&](int i) { return p[at[i]]; });
  }
  template <class T> static of<T> load_over(T const* p, int from, int to, of<T> const& x) {
    alignas(64) T lane[whole::width];
    whole::template store<T>(lane, x);
    for (int i = from; i < to; ++i) lane[i] = p[i];
    return load<T>(lane);
  }
  template <class T> static void store(T* p, of<T> const& x) {
    if constexpr (is_moved_whole<T>) whole::template picked<half<T>, 0>(x, x).store_unaligned(p);
    else store<T>(p, 1, x);
  }
  template <class T> static void store(T* p, std::int64_t step, of<T> const& x) {
    alignas(64) T lane[whole::width];
    whole::template store<T>(lane, x);
    for (int i = 0; i < width; ++i) p[i * step] = lane[i];
  }
  template <class T> static constexpr bool streams = false;
  template <class To, class T, class F> static To joined(F, of<T> const&) = delete;
  /// As of whole registers, each of which has its elements twice: so they come side by side first.
  template <int Count, int N, class T, class F> ETNA_INLINE static of<T> joined_pairs(F f, of<T>* x) {
    if constexpr (N < width || Count == 1) return whole::template joined_pairs<Count, N, T>(f, x);
    else {
      ETNA_UNROLL for (int i = 0; i < Count / 2; ++i) x[i] = whole::template beside<T, N, 0>(x[i], x[i + Count / 2]);
      return whole::template joined_pairs<Count / 2, N / 2, T>(f, x);
    }
  }
};
/// The smaller register beside L, or `one`.
template <class L> struct half_of : std::type_identity<one> {};
template <class Base> requires(packed<Base>::width >= 4)
struct half_of<packed<Base>> : std::type_identity<packed_half<Base>> {};
#else
template <class L> struct half_of : std::type_identity<one> {};
#endif

}  // namespace etna::lower
