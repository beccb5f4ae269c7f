// SPDX-License-Identifier: BSD-3-Clause
// std::exp(x) of an array with axes: a C++ programmer's habit, which would end in a hundred lines about overloads.
// These functions exist only to say so: whatever calls one does not compile, so no program that runs has them. An array
// of no axes outside of a transform is a number, and std::exp of it is C++'s. Read next: linalg.hpp.
#pragma once
#include "math.hpp"

namespace etna::numpy {
template <class A> concept with_axes = any_array<A> && (std::remove_cvref_t<A>::rank > 0);
template <class A> constexpr auto of_std(A const& x) {
  message::fail<message::E056_std_is_for_numbers<typename text_of<A>::type>>();
  return x;
}
}  // namespace etna::numpy

// The pack makes them a worse match than etna's own, where both namespaces are used.
namespace std {
#define ETNA_NOT_OF_STD(NAME)                                                                    \
  template <etna::numpy::with_axes A, class... B> constexpr auto NAME(A const& x, B const&...) { \
    return etna::numpy::of_std(x);                                                               \
  }
ETNA_NOT_OF_STD(exp)
ETNA_NOT_OF_STD(exp2)
ETNA_NOT_OF_STD(expm1)
ETNA_NOT_OF_STD(log)
ETNA_NOT_OF_STD(log2)
ETNA_NOT_OF_STD(log10)
ETNA_NOT_OF_STD(log1p)
ETNA_NOT_OF_STD(sqrt)
ETNA_NOT_OF_STD(cbrt)
ETNA_NOT_OF_STD(sin)
ETNA_NOT_OF_STD(cos)
ETNA_NOT_OF_STD(tan)
ETNA_NOT_OF_STD(asin)
ETNA_NOT_OF_STD(acos)
ETNA_NOT_OF_STD(atan)
ETNA_NOT_OF_STD(sinh)
ETNA_NOT_OF_STD(cosh)
ETNA_NOT_OF_STD(tanh)
ETNA_NOT_OF_STD(asinh)
ETNA_NOT_OF_STD(acosh)
ETNA_NOT_OF_STD(atanh)
ETNA_NOT_OF_STD(erf)
ETNA_NOT_OF_STD(erfc)
ETNA_NOT_OF_STD(tgamma)
ETNA_NOT_OF_STD(lgamma)
ETNA_NOT_OF_STD(floor)
ETNA_NOT_OF_STD(ceil)
ETNA_NOT_OF_STD(trunc)
ETNA_NOT_OF_STD(round)
ETNA_NOT_OF_STD(abs)
ETNA_NOT_OF_STD(fabs)
ETNA_NOT_OF_STD(isnan)
ETNA_NOT_OF_STD(isinf)
ETNA_NOT_OF_STD(isfinite)
ETNA_NOT_OF_STD(pow)
ETNA_NOT_OF_STD(fmax)
ETNA_NOT_OF_STD(fmin)
ETNA_NOT_OF_STD(hypot)
ETNA_NOT_OF_STD(atan2)
ETNA_NOT_OF_STD(fmod)
ETNA_NOT_OF_STD(copysign)
#undef ETNA_NOT_OF_STD
}  // namespace std
