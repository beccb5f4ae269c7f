// SPDX-License-Identifier: BSD-3-Clause
// What the compiler and the device ask of the code: checks, the host/device mark, scalar mathematics.
// Names in `math` are valid for scalars on both sides and are joined by those of SIMD batches
// (argument-dependent look-up). Read next: tuning.hpp.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if __cplusplus < 202002L
#error "etna needs C++20: pass -std=c++20, or link the CMake target etna::etna, which does"
#endif
#if !defined(__cpp_exceptions) && !defined(__CUDA_ARCH__)
#error "etna throws etna::error where a value or a file is wrong: compile without -fno-exceptions"
#endif
// clang has a macro of the first two alone.
#if (defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0) ||          \
     defined(__ASSOCIATIVE_MATH__) || defined(__NO_SIGNED_ZEROS__) || defined(__RECIPROCAL_MATH__)) && \
    !defined(ETNA_WITH_FAST_MATH)
#error \
    "etna is not right with -ffast-math, -Ofast or a part of them (isnan, where and max see no NaN): leave them out, \
or allow them by -DETNA_WITH_FAST_MATH (docs/flags.md says what then holds)"
#endif

#if defined(__CUDACC__)
#define ETNA_FN __host__ __device__
#define ETNA_FN_INLINE __host__ __device__ __forceinline__
#define ETNA_FN_ONCE __host__ __device__
#else
#define ETNA_FN
#define ETNA_FN_INLINE __attribute__((always_inline)) inline
#define ETNA_FN_ONCE __attribute__((noinline))  // on a host once for all loops that call it: they are many
#endif

// In front of a loop of constant length over an array of registers: compilers keep them in registers only where it is
// unrolled early.
#if !defined(__GNUC__) || defined(__CUDACC__)
#define ETNA_UNROLL
#define ETNA_ROLLED
#elif defined(__clang__)
#define ETNA_UNROLL _Pragma("clang loop unroll(full)")
#define ETNA_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define ETNA_UNROLL _Pragma("GCC unroll 16")
#define ETNA_ROLLED _Pragma("GCC unroll 1")  // of a few rounds, that compilers would write out
#endif
// In front of a loop whose body fills the registers: clang would unroll it, have more at once, and spill some.
#if defined(__clang__) && !defined(__CUDACC__)
#define ETNA_ONE_AT_A_TIME _Pragma("clang loop unroll(disable)")
#else
#define ETNA_ONE_AT_A_TIME
#endif

// Host code alone: a function, and behind its parameters a lambda, that are part of what calls them. In front of a
// function ETNA_FLATTEN: all that it calls is part of it (g++; clang decides so itself).
#define ETNA_INLINE __attribute__((always_inline)) inline
#define ETNA_INLINE_LAMBDA __attribute__((always_inline))
#define ETNA_FLATTEN __attribute__((flatten))

// Keeps a kernel a function of its own, whatever the optimiser thinks.
#define ETNA_NOINLINE __attribute__((noinline))

namespace etna::math {
// Found by unqualified calls in a row's `lower`; xsimd's overloads for batches join by ADL.
template <class T> concept scalar = std::is_arithmetic_v<T>;

template <scalar T> ETNA_FN constexpr T select(bool p, T x, T y) { return p ? x : y; }
// Of numbers: for NaN, and for zeros of two signs, a batch's instruction may answer otherwise.
template <scalar T> ETNA_FN constexpr T min(T a, T x) { return x < a ? x : a; }
template <scalar T> ETNA_FN constexpr T max(T a, T x) { return x > a ? x : a; }

/// What a lane holds: T itself, or the element type of a SIMD batch.
template <class T> struct lane_of_ {
  using type = typename T::value_type;
};
template <scalar T> struct lane_of_<T> {
  using type = T;
};
template <class T> using lane_of = typename lane_of_<T>::type;

/// a * b + c rounded once, also where the machine has no instruction for it.
template <scalar T> ETNA_FN T mul_add(T a, T b, T c) {
#if !defined(__FMA__) && !defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<T, float>) return float(double(a) * double(b) + double(c));
#endif
  return std::fma(a, b, c);
}
template <class T> requires(!scalar<T>)
T mul_add(T const& a, T const& b, T const& c) {
#if defined(__FMA__)
  return fma(a, b, c);
#else
  alignas(64) lane_of<T> x[T::size], y[T::size], z[T::size];
  a.store_aligned(x);
  b.store_aligned(y);
  c.store_aligned(z);
  for (std::size_t i = 0; i < T::size; ++i) z[i] = mul_add(x[i], y[i], z[i]);
  return T::load_aligned(z);
#endif
}

}  // namespace etna::math
