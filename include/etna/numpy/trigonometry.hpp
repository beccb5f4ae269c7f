// SPDX-License-Identifier: BSD-3-Clause
// Circular and hyperbolic functions and their inverses under NumPy's names; angles in radians.
// Read next: division.hpp.
#pragma once
#include "integer.hpp"

namespace etna {

/// The tangent.
///
/// shape   x [a] -> [a]
/// dtype   floating; integers are converted
/// diff    1 + tan(x)^2
/// source  NumPy tan
template <any_array A> constexpr auto tan(A const& x) { return numpy::real_of<ops::tan_p>(x); }

/// The angle whose sine is x; NaN outside [-1, 1].
///
/// shape   x [a] -> [a]
/// diff    1 / sqrt(1 - x^2)
/// source  NumPy arcsin
template <any_array A> constexpr auto arcsin(A const& x) { return numpy::real_of<ops::asin_p>(x); }

/// The angle whose cosine is x; NaN outside [-1, 1].
///
/// shape   x [a] -> [a]
/// diff    -1 / sqrt(1 - x^2)
/// source  NumPy arccos
template <any_array A> constexpr auto arccos(A const& x) { return numpy::real_of<ops::acos_p>(x); }

/// The angle between -pi/2 and pi/2 whose tangent is x.
///
/// shape   x [a] -> [a]
/// diff    1 / (1 + x^2)
/// source  NumPy arctan
template <any_array A> constexpr auto arctan(A const& x) { return numpy::real_of<ops::atan_p>(x); }

/// The angle of the point (x, y), from -pi to pi.
///
/// shape   y [a], x [b], broadcast to one shape
/// dtype   floating; integers are converted
/// diff    x / (x^2 + y^2) and -y / (x^2 + y^2)
/// errors  E001 shapes do not broadcast
/// source  NumPy arctan2
template <class A, class B> requires numpy::operands<A, B>
constexpr auto arctan2(A const& y, B const& x) {
  return numpy::binary_of<ops::atan2_p, true, false>(y, x);
}

/// (exp(x) - exp(-x)) / 2.
///
/// diff    cosh(x)
/// source  NumPy sinh
template <any_array A> constexpr auto sinh(A const& x) { return numpy::real_of<ops::sinh_p>(x); }

/// (exp(x) + exp(-x)) / 2.
///
/// diff    sinh(x)
/// source  NumPy cosh
template <any_array A> constexpr auto cosh(A const& x) { return numpy::real_of<ops::cosh_p>(x); }

/// The number whose sinh is x.
///
/// diff    1 / sqrt(x^2 + 1)
/// source  NumPy arcsinh
template <any_array A> constexpr auto arcsinh(A const& x) { return numpy::real_of<ops::asinh_p>(x); }

/// The number from 0 on whose cosh is x; NaN below 1.
///
/// diff    1 / sqrt(x^2 - 1)
/// source  NumPy arccosh
template <any_array A> constexpr auto arccosh(A const& x) { return numpy::real_of<ops::acosh_p>(x); }

/// The number whose tanh is x; NaN outside [-1, 1].
///
/// diff    1 / (1 - x^2)
/// source  NumPy arctanh
template <any_array A> constexpr auto arctanh(A const& x) { return numpy::real_of<ops::atanh_p>(x); }

/// arcsin, arccos, arctan and their like under C's names, which NumPy has too.
template <any_array A> constexpr auto asin(A const& x) { return arcsin(x); }
template <any_array A> constexpr auto acos(A const& x) { return arccos(x); }
template <any_array A> constexpr auto atan(A const& x) { return arctan(x); }
template <class A, class B> requires numpy::operands<A, B>
constexpr auto atan2(A const& y, B const& x) {
  return arctan2(y, x);
}
template <any_array A> constexpr auto asinh(A const& x) { return arcsinh(x); }
template <any_array A> constexpr auto acosh(A const& x) { return arccosh(x); }
template <any_array A> constexpr auto atanh(A const& x) { return arctanh(x); }

/// Degrees of radians.
template <any_array A> constexpr auto degrees(A const& x) { return multiply(x, 57.29577951308232); }
/// Radians of degrees.
template <any_array A> constexpr auto radians(A const& x) { return multiply(x, 0.017453292519943295); }
/// degrees under NumPy's other name.
template <any_array A> constexpr auto rad2deg(A const& x) { return degrees(x); }
/// radians under NumPy's other name.
template <any_array A> constexpr auto deg2rad(A const& x) { return radians(x); }

}  // namespace etna
