// SPDX-License-Identifier: BSD-3-Clause
// Infinities, NaN and nearness, under NumPy's names. Read next: elementary.hpp.
#pragma once
#include <limits>

#include "division.hpp"
#include "reduce.hpp"

namespace etna {
namespace numpy {
inline constexpr double infinity = std::numeric_limits<double>::infinity();
}

/// Where x is neither infinite nor NaN.
///
/// shape   x [a] -> bool [a]
/// source  NumPy isfinite
template <any_array A> constexpr auto isfinite(A const& x) { return equal(x - x, 0); }
/// Where x is infinite.
template <any_array A> constexpr auto isinf(A const& x) { return equal(abs(x), numpy::infinity); }
/// Where x is inf.
template <any_array A> constexpr auto isposinf(A const& x) { return equal(x, numpy::infinity); }
/// Where x is -inf.
template <any_array A> constexpr auto isneginf(A const& x) { return equal(x, -numpy::infinity); }

/// x with `nan` for NaN, and the largest numbers of its type for infinities.
///
/// shape   x [a] -> [a]
/// diff    1 where x is finite, 0 elsewhere
/// source  NumPy nan_to_num
template <any_array A, numpy::operand N = double> constexpr auto nan_to_num(A const& x, N const& nan = 0) {
  if constexpr (!is_floating(A::type.d)) return x;
  else {
    using limits = std::numeric_limits<typename A::value_type>;
    auto known = where(isnan(x), nan, x);
    return where(isposinf(known), limits::max(), where(isneginf(known), limits::lowest(), known));
  }
}

/// Where |x - y| <= absolute + relative |y|, or both are the same infinity, or, if asked, both are NaN.
///
/// shape   x [a], y [b], broadcast to one shape; bool
/// errors  E001 shapes do not broadcast
/// source  NumPy isclose; all(isclose(x, y)) in a traced function, allclose(x, y) of numbers
template <class A, class B, numpy::operand R = double, numpy::operand S = double, std::same_as<bool> N = bool>
requires numpy::operands<A, B>
constexpr auto isclose(A const& x, B const& y, R const& relative = 1e-5, S const& absolute = 1e-8,
                       N equal_nan = false) {
  using T = element_of<to_floating(numpy::common_dtype<A, B>())>;
  auto a = numpy::as_array<T>(x);
  auto b = numpy::as_array<T>(y);
  auto near = logical_and(
      isfinite(b), less_equal(abs(a - b), numpy::parameter<T>(absolute) + numpy::parameter<T>(relative) * abs(b)));
  auto close = logical_or(near, equal(a, b));
  if (!equal_nan) return close;
  return logical_or(close, logical_and(isnan(a), isnan(b)));
}
template <class A, class B, class R, class S, class N> requires(numpy::operands<A, B> && !std::same_as<N, bool>)
ETNA_REFUSAL(E039_known_while_compiling,
             "E039: isclose: whether NaN equals NaN is a C++ bool: isclose(x, y, 1e-5, 1e-8, true)",
             isclose(A const&, B const&, R const&, S const&, N const&));
/// Whether x and y have the same shape and equal elements: a bool scalar.
///
/// source  NumPy array_equal
template <any_array A, any_array B> constexpr auto array_equal(A const& x, B const& y) {
  if constexpr (!A::type.same_shape(B::type)) return array<bool>(false);
  else return all(equal(x, y));
}

/// Sum of the elements that are not NaN, over the given axes.
///
/// errors  E005 axis out of range, E006 axis named twice
/// source  NumPy nansum
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes>
constexpr auto nansum(A const& x, K k = {}) {
  return sum<Axis...>(where(isnan(x), 0, x), k);
}
/// Mean of the elements that are not NaN, over the given axes.
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes>
constexpr auto nanmean(A const& x, K k = {}) {
  using T = element_of<to_floating(A::type.d)>;
  return nansum<Axis...>(x, k) / sum<Axis...>(astype<T>(logical_not(isnan(x))), k);
}
/// Greatest of the elements that are not NaN, over the given axes.
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes>
constexpr auto nanmax(A const& x, K k = {}) {
  auto r = max<Axis...>(where(isnan(x), -numpy::infinity, x), k);
  return where(all<Axis...>(isnan(x), k), std::numeric_limits<double>::quiet_NaN(), r);
}
/// Least of the elements that are not NaN, over the given axes.
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes>
constexpr auto nanmin(A const& x, K k = {}) {
  auto r = min<Axis...>(where(isnan(x), numpy::infinity, x), k);
  return where(all<Axis...>(isnan(x), k), std::numeric_limits<double>::quiet_NaN(), r);
}

// What is not taken behind the array.
ETNA_REFUSE_REDUCTION(nansum, "it takes keepdims alone; of some elements: nansum(where(mask, x, 0))");
ETNA_REFUSE_REDUCTION(nanmean, "it takes keepdims alone; of some elements: nanmean(where(mask, x, nan))");
ETNA_REFUSE_REDUCTION(nanmax, "it takes keepdims alone; of some elements: nanmax(where(mask, x, nan))");
ETNA_REFUSE_REDUCTION(nanmin, "it takes keepdims alone; of some elements: nanmin(where(mask, x, nan))");

}  // namespace etna
