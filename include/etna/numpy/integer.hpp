// SPDX-License-Identifier: BSD-3-Clause
// Integers bit by bit under NumPy's names, and the operators & | ^ ~ << >>. Of bool arrays & | ^ are
// logic, as in NumPy. Read next: reduce.hpp.
#pragma once
#include "math.hpp"

namespace etna {
namespace numpy {

template <class P, class A, class B> constexpr auto bits_of(A const& x, B const& y) {
  constexpr bool ok = is_integer(common_dtype<A, B>());
  if constexpr (!ok) {
    message::fail<message::E050_not_bits<P, A, B>>();
    if constexpr (any_array<A>) return x;
    else return y;
  } else return binary_of<P, false, false>(x, y);
}
template <class P, class Logic, class A, class B> constexpr auto bits_or_logic(A const& x, B const& y) {
  constexpr bool truths = common_dtype<A, B>() == dtype::boolean;
  if constexpr (truths) return binary_of<Logic, false, true>(x, y);
  else return bits_of<P>(x, y);
}

}  // namespace numpy

/// x & y bit by bit; of bool arrays logical_and.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   integers, promoted; a C++ number takes the array's type
/// diff    none
/// errors  E001 shapes do not broadcast, E050 an operand is floating
/// source  NumPy bitwise_and
template <class A, class B> requires numpy::operands<A, B>
constexpr auto bitwise_and(A const& x, B const& y) {
  return numpy::bits_or_logic<ops::bit_and_p, ops::logical_and_p>(x, y);
}
/// x | y bit by bit, as bitwise_and.
template <class A, class B> requires numpy::operands<A, B>
constexpr auto bitwise_or(A const& x, B const& y) {
  return numpy::bits_or_logic<ops::bit_or_p, ops::logical_or_p>(x, y);
}
/// x ^ y bit by bit, as bitwise_and.
template <class A, class B> requires numpy::operands<A, B>
constexpr auto bitwise_xor(A const& x, B const& y) {
  return numpy::bits_or_logic<ops::bit_xor_p, ops::logical_xor_p>(x, y);
}
/// ~x: all bits the other way; of a bool array logical_not.
///
/// errors  E050 x is floating
/// source  NumPy bitwise_not, also called invert
template <any_array A> constexpr auto bitwise_not(A const& x) {
  constexpr bool truths = A::type.d == dtype::boolean, bits = is_integer(A::type.d);
  if constexpr (truths) return logical_not(x);
  else if constexpr (bits) return numpy::unary_of<ops::bit_not_p>(x);
  else {
    message::fail<message::E050_not_bits<ops::bit_not_p, A>>();
    return x;
  }
}
/// ~x, NumPy's other name.
template <any_array A> constexpr auto invert(A const& x) { return bitwise_not(x); }

/// x with its bits n places higher; 0 where n is negative or not below the width.
///
/// shape   x [a], n [b], broadcast to one shape
/// dtype   integers, promoted
/// diff    none
/// errors  E001 shapes do not broadcast, E050 an operand is not an integer
/// source  NumPy left_shift
template <class A, class B> requires numpy::operands<A, B>
constexpr auto left_shift(A const& x, B const& n) {
  return numpy::bits_of<ops::shift_left_p>(x, n);
}
/// x with its bits n places lower; a signed x keeps its sign, as in floor(x / 2^n).
///
/// source  NumPy right_shift
template <class A, class B> requires numpy::operands<A, B>
constexpr auto right_shift(A const& x, B const& n) {
  return numpy::bits_of<ops::shift_right_p>(x, n);
}
/// The remainder of a division that truncates: the sign of x; x where y is an integer 0. NumPy's fmod.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; integers stay integers
/// diff    1 and -trunc(x / y)
/// errors  E001 shapes do not broadcast
/// source  JAX lax.rem
template <class A, class B> requires numpy::operands<A, B>
constexpr auto rem(A const& x, B const& y) {
  return numpy::binary_of<ops::rem_p, false, false>(x, y);
}
/// rem under NumPy's name.
template <class A, class B> requires numpy::operands<A, B>
constexpr auto fmod(A const& x, B const& y) {
  return rem(x, y);
}

template <class A, class B> requires numpy::operands<A, B>
constexpr auto operator&(A const& x, B const& y) {
  return bitwise_and(x, y);
}
template <class A, class B> requires numpy::operands<A, B>
constexpr auto operator|(A const& x, B const& y) {
  return bitwise_or(x, y);
}
template <class A, class B> requires numpy::operands<A, B>
constexpr auto operator^(A const& x, B const& y) {
  return bitwise_xor(x, y);
}
template <class A, class B> requires numpy::operands<A, B>
constexpr auto operator<<(A const& x, B const& n) {
  return left_shift(x, n);
}
template <class A, class B> requires numpy::operands<A, B>
constexpr auto operator>>(A const& x, B const& n) {
  return right_shift(x, n);
}
template <any_array A> constexpr auto operator~(A const& x) { return bitwise_not(x); }

}  // namespace etna
