// SPDX-License-Identifier: BSD-3-Clause
// What the compiler and the device ask of the code: checks, the host/device mark, scalar mathematics.
// Names in `math` are valid for scalars on both sides and are joined by those of SIMD batches
// (argument-dependent look-up). Read next: message/catalogue.hpp.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#if __cplusplus < 202002L
#error "etna needs C++20: pass -std=c++20, or link the CMake target etna::etna, which does"
#endif

#if defined(__CUDACC__)
#define ETNA_FN __host__ __device__
#define ETNA_FN_INLINE __host__ __device__ __forceinline__
#else
#define ETNA_FN
#define ETNA_FN_INLINE __attribute__((always_inline)) inline
#endif

// Keeps a kernel a function of its own, whatever the optimiser thinks.
#define ETNA_NOINLINE __attribute__((noinline))

namespace etna::math {
// Found by unqualified calls in a row's `lower`; xsimd's overloads for batches join by ADL.
template <class T> concept scalar = std::is_arithmetic_v<T>;

template <scalar T> ETNA_FN constexpr T select(bool p, T x, T y) { return p ? x : y; }

}  // namespace etna::math
