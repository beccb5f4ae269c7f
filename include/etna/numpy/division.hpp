// SPDX-License-Identifier: BSD-3-Clause
// Rounding, and division with a remainder, under NumPy's names. Read next: finite.hpp.
#pragma once
#include "trigonometry.hpp"

namespace etna {
namespace numpy {
/// Integers are whole already.
template <class P, class A> constexpr auto whole_of(A const& x) {
  if constexpr (is_floating(A::type.d)) return unary_of<P>(x);
  else return x;
}
/// The sign of a remainder is the divisor's: r + y where r is on the other side of 0.
template <class R, class B> constexpr auto other_side(R const& r, B const& y) {
  return logical_and(not_equal(r, 0), not_equal(less(r, 0), less(y, 0)));
}
/// An operand as an array of T.
template <class T, class A> constexpr auto as_array(A const& x) {
  if constexpr (any_array<A>) return astype<T>(x);
  else return array<T>(T(x));
}
template <class A, class B> constexpr auto as_common(A const& x) {
  return as_array<element_of<common_dtype<A, B>()>>(x);
}
}  // namespace numpy

/// The greatest whole number not above x.
///
/// shape   x [a] -> [a]
/// dtype   same as x
/// diff    0 everywhere
/// source  NumPy floor
template <any_array A> constexpr auto floor(A const& x) { return numpy::whole_of<ops::floor_p>(x); }
/// The least whole number not below x, as floor.
template <any_array A> constexpr auto ceil(A const& x) { return numpy::whole_of<ops::ceil_p>(x); }
/// x without its fraction, as floor.
template <any_array A> constexpr auto trunc(A const& x) { return numpy::whole_of<ops::trunc_p>(x); }
/// trunc under NumPy's other name.
template <any_array A> constexpr auto fix(A const& x) { return trunc(x); }
/// The nearest whole number; of two equally near ones the even one.
template <any_array A> constexpr auto rint(A const& x) { return numpy::whole_of<ops::round_p>(x); }
/// rint under C's other name.
template <any_array A> constexpr auto nearbyint(A const& x) { return rint(x); }
/// x with this many decimal places; of two equally near ones the even one.
///
/// diff    0 everywhere
/// source  NumPy round
template <any_array A, std::integral D = int> constexpr auto round(A const& x, D decimals = 0) {
  if constexpr (!is_floating(A::type.d)) return x;
  else {
    if (decimals == 0) return rint(x);
    double power = 1;
    for (D i = 0; i < (decimals < 0 ? -decimals : decimals); ++i) power *= 10;
    if (decimals > 0) return rint(x * power) / power;
    return rint(x / power) * power;
  }
}

template <any_array A, class D> requires(!std::integral<D>)
ETNA_REFUSAL(E039_known_while_compiling, "E039: round: how many decimals is a C++ integer: round(x, 2)",
             round(A const&, D const&));

/// The remainder with the divisor's sign: x - y floor(x / y). Python's %.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; integers stay integers
/// diff    1 and -floor(x / y)
/// errors  E001 shapes do not broadcast
/// source  NumPy remainder
template <class A, class B> requires numpy::operands<A, B>
constexpr auto remainder(A const& x, B const& y) {
  auto r = rem(x, y);
  auto divisor = numpy::as_common<B, A>(y);
  auto turned = where(numpy::other_side(r, divisor), r + divisor, r);
  if constexpr (!is_floating(decltype(r)::type.d)) return turned;
  else {  // a zero has the divisor's sign, too, and r's derivative
    auto zero = where(less(divisor, 0), array<typename decltype(r)::value_type>(-0.), 0);
    return where(equal(r, 0), zero - (stop_gradient(r) - r), turned);
  }
}
/// remainder under NumPy's other name.
template <class A, class B> requires numpy::operands<A, B>
constexpr auto mod(A const& x, B const& y) {
  return remainder(x, y);
}

/// floor(x / y), of integers an integer (by 0 it is -1, as in XLA). Python's //.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; integers stay integers
/// diff    0 everywhere
/// errors  E001 shapes do not broadcast
/// source  NumPy floor_divide
template <class A, class B> requires numpy::operands<A, B>
constexpr auto floor_divide(A const& x, B const& y) {
  auto divisor = numpy::as_common<B, A>(y);
  if constexpr (is_floating(decltype(divisor)::type.d)) {
    auto r = rem(x, y);
    // x - r is a multiple of y but for rounding
    auto q = rint((x - stop_gradient(r)) / divisor) -
             where(numpy::other_side(r, divisor), array<typename decltype(r)::value_type>(1), 0);
    return stop_gradient(where(equal(divisor, 0), x / divisor, q));
  } else {
    auto q = numpy::binary_of<ops::quot_p, false, false>(x, y);
    auto below = numpy::other_side(numpy::as_common<A, B>(x) - q * divisor, divisor);
    return q - where(logical_and(below, not_equal(divisor, 0)), array<typename decltype(q)::value_type>(1), 0);
  }
}
/// floor_divide and remainder.
template <class A, class B> requires numpy::operands<A, B>
constexpr auto divmod(A const& x, B const& y) {
  return std::pair{floor_divide(x, y), remainder(x, y)};
}
/// x % y is the remainder with the divisor's sign, as in Python (C++'s has x's: rem).
template <class A, class B> requires numpy::operands<A, B>
constexpr auto operator%(A const& x, B const& y) {
  return remainder(x, y);
}

}  // namespace etna
