// SPDX-License-Identifier: BSD-3-Clause
// Elementwise functions and small reductions that are compositions, under NumPy's names.
// Read next: c_functions.hpp.
#pragma once
#include "create.hpp"
#include "finite.hpp"

namespace etna {

/// 2 to the power x.
///
/// shape   x [a] -> [a]
/// diff    log(2) 2^x
/// source  NumPy exp2
template <any_array A> constexpr auto exp2(A const& x) { return numpy::real_of<ops::exp2_p>(x); }
/// The cube root, also of negative numbers.
///
/// shape   x [a] -> [a]
/// diff    1 / (3 cbrt(x)^2), inf at 0
/// source  NumPy cbrt
template <any_array A> constexpr auto cbrt(A const& x) { return numpy::real_of<ops::cbrt_p>(x); }
/// The logarithm to base 2.
///
/// shape   x [a] -> [a]
/// diff    1 / (x log 2)
/// source  NumPy log2
template <any_array A> constexpr auto log2(A const& x) { return numpy::real_of<ops::log2_p>(x); }
/// The logarithm to base 10.
///
/// shape   x [a] -> [a]
/// diff    1 / (x log 10)
/// source  NumPy log10
template <any_array A> constexpr auto log10(A const& x) { return numpy::real_of<ops::log10_p>(x); }
/// 1 / x.
template <any_array A> constexpr auto reciprocal(A const& x) { return divide(1, x); }

/// log(exp(x) + exp(y)), without overflow.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   floating; integers are converted
/// diff    logistic(x - y) and logistic(y - x)
/// errors  E001 shapes do not broadcast
/// source  NumPy logaddexp
template <class A, class B> requires numpy::operands<A, B>
constexpr auto logaddexp(A const& x, B const& y) {
  return numpy::binary_of<ops::logaddexp_p, true, false>(x, y);
}
/// log2(2^x + 2^y), without overflow.
template <class A, class B> requires numpy::operands<A, B>
constexpr auto logaddexp2(A const& x, B const& y) {
  using T = element_of<to_floating(numpy::common_dtype<A, B>())>;
  return logaddexp(numpy::as_array<T>(x) * 0.6931471805599453, numpy::as_array<T>(y) * 0.6931471805599453) /
         0.6931471805599453;
}
/// sqrt(x^2 + y^2), without overflow.
///
/// shape   x [a], y [b], broadcast to one shape
/// diff    x / hypot and y / hypot; one half each where both are 0, and between infinities; the limits, 1 and 0, at one
///         infinity
/// errors  E001 shapes do not broadcast
/// source  NumPy hypot
template <class A, class B> requires numpy::operands<A, B>
constexpr auto hypot(A const& x, B const& y) {
  return numpy::binary_of<ops::hypot_p, true, false>(x, y);
}
/// 0 below 0, y at 0, 1 above it; NaN where x is.
///
/// source  NumPy heaviside
template <any_array A, class B> requires numpy::operand<B>
constexpr auto heaviside(A const& x, B const& y) {
  using T = element_of<to_floating(A::type.d)>;
  auto v = astype<T>(x);
  return where(equal(v, 0), y, where(isnan(v), v, astype<T>(greater(v, 0))));
}
/// The greater of x and y, of NaN and a number the number.
///
/// diff    1 to the greater; on ties to y, as in JAX
/// source  NumPy fmax
template <class A, class B> requires numpy::operands<A, B>
constexpr auto fmax(A const& x, B const& y) {
  using T = element_of<numpy::common_dtype<A, B>()>;
  auto a = numpy::as_array<T>(x);
  auto b = numpy::as_array<T>(y);
  return where(logical_or(greater(a, b), isnan(b)), a, b);
}
/// The less of x and y, of NaN and a number the number.
template <class A, class B> requires numpy::operands<A, B>
constexpr auto fmin(A const& x, B const& y) {
  using T = element_of<numpy::common_dtype<A, B>()>;
  auto a = numpy::as_array<T>(x);
  auto b = numpy::as_array<T>(y);
  return where(logical_or(less(a, b), isnan(b)), a, b);
}
/// x - y where x is greater, 0 elsewhere; NaN where either is.
///
/// shape   x [a], y [b], broadcast to one shape
/// diff    1 and -1 where x is greater, 0 elsewhere
/// errors  E001 shapes do not broadcast
/// source  C fdim
template <class A, class B> requires numpy::operands<A, B>
constexpr auto fdim(A const& x, B const& y) {
  return where(less_equal(x, y), 0, subtract(x, y));
}
/// Where x is negative, -0 included; of a NaN false, whose sign is not read.
///
/// shape   x [a] -> bool [a]
/// source  NumPy signbit
template <any_array A> constexpr auto signbit(A const& x) {
  if constexpr (!is_floating(A::type.d)) return less(x, 0);
  else return logical_or(less(x, 0), logical_and(equal(x, 0), less(divide(1, x), 0)));
}
/// x with the sign of y, whose zeros have one.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   floating; integers are converted
/// diff    1 where the signs agree, -1 elsewhere, 0 at 0; 0 by y
/// errors  E001 shapes do not broadcast
/// source  NumPy copysign
template <class A, class B> requires numpy::operands<A, B>
constexpr auto copysign(A const& x, B const& y) {
  using T = element_of<to_floating(numpy::common_dtype<A, B>())>;
  auto size = abs(numpy::as_array<T>(x));
  return where(signbit(numpy::as_array<T>(y)), -size, size);
}
/// The absolute value, a floating number also of integers.
///
/// diff    sign(x), so 0 at 0
/// source  NumPy fabs
template <any_array A> constexpr auto fabs(A const& x) { return abs(astype<element_of<to_floating(A::type.d)>>(x)); }
/// x to the power y: NumPy's name of pow.
template <class A, class B> requires numpy::operands<A, B>
constexpr auto power(A const& x, B const& y) {
  return pow(x, y);
}
/// abs under NumPy's long name.
template <any_array A> constexpr auto absolute(A const& x) { return abs(x); }
/// divide under NumPy's other name.
template <class A, class B> requires numpy::operands<A, B>
constexpr auto true_divide(A const& x, B const& y) {
  return divide(x, y);
}

/// How many elements are not 0, over the given axes: i32.
///
/// errors  E005 axis out of range, E006 axis named twice
/// source  NumPy count_nonzero
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes>
constexpr auto count_nonzero(A const& x, K k = {}) {
  return sum<Axis...>(astype<int>(not_equal(x, 0)), k);
}
/// Greatest less least, over the given axes.
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes> constexpr auto ptp(A const& x, K k = {}) {
  return max<Axis...>(x, k) - min<Axis...>(x, k);
}
/// Mean of x with weights, over the given axes.
///
/// shape   weights broadcast to x
/// errors  E005 axis out of range, E006 axis named twice, E001 shapes do not broadcast
/// source  NumPy average
template <int... Axis, any_array A, any_array W> constexpr auto average(A const& x, W const& weights) {
  transform::names_agree(x, weights);
  auto each = numpy::to_array<array_of<numpy::as_dtype<A, W::type.d>>>(
      numpy::broadcast_to(numpy::to_handle(weights), numpy::to_handle(x).type()));
  return sum<Axis...>(x * each) / sum<Axis...>(each);
}

/// How many degrees of freedom var and stddev take off the number of elements: var<0>(x, ddof{1}).
struct ddof {
  int n;
  template <std::integral Nth> constexpr ddof(Nth degrees) : n(int(degrees)) {}
  template <any_array A, class Why = message::E039_known_while_compiling<
                             message::says<message::sentence_text{"E039: ddof is a C++ number, and no array"}>>>
  ddof(A const&) = delete;
};
namespace numpy {
template <class W, class... More> inline constexpr bool takes_spread = takes_keepdims<W, More...>;
template <> inline constexpr bool takes_spread<ddof> = true;
template <class W> inline constexpr bool takes_spread<ddof, W> = takes_keepdims<W>;
}  // namespace numpy

/// Squared distance from the mean, summed and divided by the number of elements less `off.n`.
///
/// source  NumPy var with ddof
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes>
constexpr auto var(A const& x, ddof off, K k = {}) {
  auto spread = square(x - mean<Axis...>(x, keepdims));
  using T = typename decltype(spread)::value_type;
  return sum<Axis...>(spread, k) / (sum<Axis...>(numpy::filled_like(spread, 1), k) - T(off.n));
}
/// Square root of var with ddof.
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes>
constexpr auto stddev(A const& x, ddof off, K k = {}) {
  return sqrt(var<Axis...>(x, off, k));
}

// What is not taken behind the array.
ETNA_REFUSE_REDUCTION(count_nonzero, "it takes keepdims alone; of some elements: count_nonzero(x && mask)");
ETNA_REFUSE_REDUCTION(ptp, "it takes keepdims alone");
ETNA_REFUSE(var, numpy::takes_spread, "var<0>(x), var<0, -1>(x, keepdims)", "it takes ddof{1} and keepdims alone");
ETNA_REFUSE(stddev, numpy::takes_spread, "stddev<0>(x), stddev<0, -1>(x, keepdims)",
            "it takes ddof{1} and keepdims alone");
template <auto..., any_array A, any_array W, class... More> requires(sizeof...(More) > 0)
ETNA_REFUSAL(E036_axes_are_template_arguments,
             "E036: axes and sizes are template arguments; write average<0>(x, weights)",
             average(A const&, W const&, More const&...));

}  // namespace etna
