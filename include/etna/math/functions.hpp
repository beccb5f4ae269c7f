// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions as a row's `lower` calls them, of numbers and of SIMD batches: on the host etna's own, one
// source for both, within two units in the last place; in device code those of CUDA. Read next:
// ../message/catalogue.hpp.
#pragma once
#include "erf.hpp"
#include "inverse_circular.hpp"
#include "logaddexp.hpp"
#include "power.hpp"
#include "roots.hpp"
#include "trigonometric.hpp"
#include "whole.hpp"

namespace etna::math {

#if defined(__CUDA_ARCH__)
#define ETNA_ELEMENTARY(f) \
  template <class T> ETNA_FN_INLINE T f(T const& x) { return std::f(x); }
#define ETNA_ELEMENTARY_2(f) \
  template <class T> ETNA_FN_INLINE T f(T const& x, T const& y) { return std::f(x, y); }
#else
#define ETNA_ELEMENTARY(f) \
  template <class T> ETNA_FN_INLINE T f(T const& x) { return host::f(x); }
#define ETNA_ELEMENTARY_2(f) \
  template <class T> ETNA_FN_INLINE T f(T const& x, T const& y) { return host::f(x, y); }
#endif

ETNA_ELEMENTARY(floor)
ETNA_ELEMENTARY(ceil)
ETNA_ELEMENTARY(trunc)
ETNA_ELEMENTARY(exp)
ETNA_ELEMENTARY(exp2)
ETNA_ELEMENTARY(expm1)
ETNA_ELEMENTARY(log)
ETNA_ELEMENTARY(log2)
ETNA_ELEMENTARY(log10)
ETNA_ELEMENTARY(log1p)
ETNA_ELEMENTARY_2(pow)
ETNA_ELEMENTARY(sin)
ETNA_ELEMENTARY(cos)
ETNA_ELEMENTARY(tan)
ETNA_ELEMENTARY(asin)
ETNA_ELEMENTARY(acos)
ETNA_ELEMENTARY(atan)
ETNA_ELEMENTARY_2(atan2)
ETNA_ELEMENTARY(sinh)
ETNA_ELEMENTARY(cosh)
ETNA_ELEMENTARY(tanh)
ETNA_ELEMENTARY(asinh)
ETNA_ELEMENTARY(acosh)
ETNA_ELEMENTARY(atanh)
ETNA_ELEMENTARY(cbrt)
ETNA_ELEMENTARY_2(hypot)
ETNA_ELEMENTARY_2(fmod)
ETNA_ELEMENTARY(erf)
ETNA_ELEMENTARY(erfc)

/// 1 / (1 + e^-x).
template <class T> ETNA_FN_INLINE T logistic(T const& x) {
#if defined(__CUDA_ARCH__)
  return T(1) / (T(1) + std::exp(-x));
#else
  return host::logistic(x);
#endif
}

/// 1 / sqrt(x).
template <class T> ETNA_FN_INLINE T rsqrt(T const& x) {
#if defined(__CUDA_ARCH__)
  return T(1) / std::sqrt(x);
#else
  return host::rsqrt(x);
#endif
}

/// log(e^x + e^y).
template <class T> ETNA_FN_INLINE T logaddexp(T const& x, T const& y) {
#if defined(__CUDA_ARCH__)
  T d = x == y ? T(0) : std::abs(x - y);
  return (x > y ? x : y) + std::log1p(std::exp(-d));
#else
  return host::logaddexp(x, y);
#endif
}

#undef ETNA_ELEMENTARY
#undef ETNA_ELEMENTARY_2

}  // namespace etna::math
