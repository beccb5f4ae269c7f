// SPDX-License-Identifier: BSD-3-Clause
// What elementary functions are written in: a number, or a SIMD batch of numbers, and operations on it that are
// rounded once each (IEEE 754), so that one source gives the same bits for both. Batches bring `fma`, `select`,
// `all`, `sqrt` and the like along, found by argument-dependent look-up. Read next: double_word.hpp.
#pragma once
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include <etna/platform.hpp>

namespace etna::math {

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
inline constexpr bool fuses = true;  // the machine multiplies and adds with one rounding
#else
inline constexpr bool fuses = false;
#endif

/// The signed integer as wide as a floating type, and the other way round.
template <class L> using integer_for = std::conditional_t<sizeof(L) == 4, std::int32_t, std::int64_t>;
template <class Int> using floating_for = std::conditional_t<sizeof(Int) == 4, float, double>;

/// The bits of x as signed integers; numbers of such bits.
template <class T> ETNA_FN_INLINE auto bits(T const& x) {
  if constexpr (scalar<T>) return std::bit_cast<integer_for<T>>(x);
  else return bitwise_cast<integer_for<lane_of<T>>>(x);
}
template <class Int> ETNA_FN_INLINE auto number(Int const& i) {
  if constexpr (scalar<Int>) return std::bit_cast<floating_for<Int>>(i);
  else return bitwise_cast<floating_for<lane_of<Int>>>(i);
}

/// a b + c, c - a b and a b - c, rounded once or twice, as is fastest here. The compiler is left no product to join
/// with a sum of its own choice: it might choose otherwise for a batch.
template <class T> ETNA_FN_INLINE T mad(T const& a, T const& b, T const& c) {
  if constexpr (std::is_integral_v<T>) {  // wraps
    using U = std::conditional_t<sizeof(T) < 4, std::uint32_t, std::make_unsigned_t<T>>;
    return T(U(a) * U(b) + U(c));
  } else if constexpr (!fuses) return a * b + c;
  else if constexpr (scalar<T>) return std::fma(a, b, c);
  else return fma(a, b, c);
}
template <class T> ETNA_FN_INLINE T nmad(T const& a, T const& b, T const& c) {
  if constexpr (!fuses) return c - a * b;
  else if constexpr (scalar<T>) return std::fma(-a, b, c);
  else return fnma(a, b, c);
}
template <class T> ETNA_FN_INLINE T msub(T const& a, T const& b, T const& c) {
  if constexpr (!fuses) return a * b - c;
  else if constexpr (scalar<T>) return std::fma(a, b, -c);
  else return fms(a, b, c);
}

/// x, in a way that keeps compilers from joining the product that it is with a sum. (g++ does it across functions.)
template <class T> ETNA_FN_INLINE T kept_apart(T x) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
#if defined(__AVX512F__)
#define ETNA_IN_REGISTER "+v"
#elif defined(__SSE2__)
#define ETNA_IN_REGISTER "+x"
#elif defined(__aarch64__)
#define ETNA_IN_REGISTER "+w"
#endif
#if defined(ETNA_IN_REGISTER)
  if constexpr (scalar<T>) asm("" : ETNA_IN_REGISTER(x));
  else asm("" : ETNA_IN_REGISTER(x.data));
#undef ETNA_IN_REGISTER
#endif
#endif
  return x;
}

// Of one number, what batches have by themselves.
ETNA_FN_INLINE bool all(bool m) { return m; }
ETNA_FN_INLINE bool any(bool m) { return m; }
template <scalar T> ETNA_FN_INLINE T abs(T x) { return std::abs(x); }
template <scalar T> ETNA_FN_INLINE T sqrt(T x) { return std::sqrt(x); }

/// c + more[0] x + more[1] x^2 + ..., each product and sum waiting for the last: least work.
template <class T, class... C> ETNA_FN_INLINE T polynomial(T const& x, lane_of<T> c, C... more) {
  if constexpr (sizeof...(C) == 0) return T(c);
  else return mad(polynomial(x, more...), x, T(c));
}

/// What a sum with it does not change: compilers leave -0 out, where + 0 would take the sign of a zero.
template <class T> ETNA_FN_INLINE T no_more() { return T(lane_of<T>(-0.)); }

/// The sign of x alone, a zero; x with its sign turned where s is negative.
template <class T> ETNA_FN_INLINE auto sign_bit(T const& x) { return bits(x) & bits(T(lane_of<T>(-0.))); }
template <class T> ETNA_FN_INLINE T with_sign_turned(T const& x, T const& s) { return number(bits(x) ^ sign_bit(s)); }
/// -|x|.
template <class T> ETNA_FN_INLINE T minus_abs(T const& x) { return number(bits(x) | bits(T(lane_of<T>(-0.)))); }
/// |x| with the sign of s.
template <class T> ETNA_FN_INLINE T with_sign(T const& x, T const& s) {
  return number((bits(x) & ~bits(T(lane_of<T>(-0.)))) | sign_bit(s));
}

/// Numbers of a floating type, and of `magic` + n, whose lowest bits are those of the integer n: adding it to a small
/// number rounds that to the nearest integer.
template <class L> struct floating;
template <> struct floating<float> {
  static constexpr int digits = 23, bias = 127;
  static constexpr float magic = 0x1.8p23f;
};
template <> struct floating<double> {
  static constexpr int digits = 52, bias = 1023;
  static constexpr double magic = 0x1.8p52;
};
/// The bits i shifted down by the digits of a number, zeros coming in.
template <class Int> ETNA_FN_INLINE Int shifted_down(Int const& i) {
  using lane = lane_of<Int>;
  using U = std::make_unsigned_t<lane>;
  constexpr int digits = floating<floating_for<lane>>::digits;
  if constexpr (scalar<Int>) return Int(U(i) >> digits);
  else return bitwise_cast<lane>(bitwise_cast<U>(i) >> digits);
}

/// 2^n for t = n + magic + bias: 0 to inf, n from -bias to bias + 1.
template <class L> inline constexpr L magic_power = floating<L>::magic + floating<L>::bias;
template <class T> ETNA_FN_INLINE T power_of_two(T const& t) { return number(bits(t) << floating<lane_of<T>>::digits); }

#if !defined(__CUDACC__)  // nvcc has no batches
/// Vectors of the compiler's with so many bytes. (g++ 12 knows none whose length depends on a template's parameter.)
template <std::size_t Bytes> struct vectors;
#define ETNA_VECTORS(bytes)                                              \
  template <> struct vectors<bytes> {                                    \
    typedef float of_f32 __attribute__((vector_size(bytes)));            \
    typedef float half_of_f32 __attribute__((vector_size((bytes) / 2))); \
    typedef double of_f64 __attribute__((vector_size(bytes)));           \
  };
ETNA_VECTORS(16)
ETNA_VECTORS(32)
ETNA_VECTORS(64)
#undef ETNA_VECTORS
/// A batch of f32 as two of f64, and back.
template <class T> struct halves {
  static constexpr std::size_t half = T::size / 2;
  using v = vectors<sizeof(T)>;
  using wide = decltype(bitwise_cast<double>(std::declval<T>()));
  template <std::size_t From, std::size_t... Nth>
  ETNA_FN_INLINE static wide widened(T const& x, std::index_sequence<Nth...>) {
    auto all = std::bit_cast<typename v::of_f32>(x.data);
    typename v::half_of_f32 part = __builtin_shufflevector(all, all, int(From + Nth)...);
    return wide(std::bit_cast<typename wide::register_type>(__builtin_convertvector(part, typename v::of_f64)));
  }
  ETNA_FN_INLINE static std::array<wide, 2> both(T const& x) {
    if constexpr (sizeof(T) > 16) return widen(x);  // the batch's own, of which g++ makes one instruction each
    else {
      constexpr auto i = std::make_index_sequence<half>{};
      return {widened<0>(x, i), widened<half>(x, i)};
    }
  }
  template <std::size_t... Nth>
  ETNA_FN_INLINE static T narrowed(wide const& low, wide const& high, std::index_sequence<Nth...>) {
    auto l = __builtin_convertvector(std::bit_cast<typename v::of_f64>(low.data), typename v::half_of_f32);
    auto h = __builtin_convertvector(std::bit_cast<typename v::of_f64>(high.data), typename v::half_of_f32);
    typename v::of_f32 all = __builtin_shufflevector(l, h, int(Nth)...);
    return T(std::bit_cast<typename T::register_type>(all));
  }
};
#endif
/// F::of(x...) of f32 computed in f64, and rounded once.
template <class F, class T, class... X> ETNA_FN_INLINE T in_f64(T const& x, X const&... more) {
  if constexpr (scalar<T>) return T(F::of(double(x), double(more)...));
#if !defined(__CUDACC__)
  else {
    using H = halves<T>;
    return [](auto const&... both) {
      return H::narrowed(F::of(both[0]...), F::of(both[1]...), std::make_index_sequence<T::size>{});
    }(H::both(x), H::both(more)...);
  }
#endif
}

/// y, except where `plain` is false: there what `far(x...)` gives, computed only where some lane of x needs it.
///
/// A lane has one value, whoever its neighbours are. `Far` is a class, so that the call, which keeps the loop short,
/// is one for all kernels; a result by reference costs the loop no register.
template <class Far, class M, class T, class... X> [[gnu::noinline]] void far_lanes(M plain, T& y, X... x) {
  using math::select;
  y = select(plain, y, Far::of(x...));
}
template <class Far, class M, class T, class... X> ETNA_FN_INLINE T else_far(M const& plain, T y, X const&... x) {
  if (!all(plain)) [[unlikely]]
    far_lanes<Far>(plain, y, x...);
  return y;
}

}  // namespace etna::math
