// SPDX-License-Identifier: BSD-3-Clause
// Elementwise functions under NumPy's names, and the operators. Operands broadcast and promote; C++
// numbers are weak. Read next: integer.hpp.
#pragma once
#include <bit>

#include "handle.hpp"

namespace etna {
namespace numpy {

template <class A, class B> constexpr bool broadcasts() {
  if constexpr (any_array<A> && any_array<B>) return broadcast_type<A, B>::ok();
  else return true;
}
/// Has one element type the values of all these arrays? If not, that is E136.
template <class... A> constexpr bool have_common() {
  dtype const d[] = {A::type.d...};
  for (dtype a : d)
    for (dtype b : d)
      if (have_no_common(a, b)) return false;
  return true;
}
/// The element type in which A and B, arrays or numbers, meet. Of arrays that have none it is A's.
template <class A, class B> constexpr dtype common_dtype() {
  if constexpr (any_array<A> && any_array<B>) return have_common<A, B>() ? promote(A::type.d, B::type.d) : A::type.d;
  else if constexpr (any_array<A>) return promote_weak(A::type.d, kind_of_literal<B>());
  else return promote_weak(B::type.d, kind_of_literal<A>());
}
template <class A, class B> constexpr auto array_operand(A const& x, [[maybe_unused]] B const& y) {
  if constexpr (any_array<A>) return x;
  else return y;
}
template <class P, class A, class B> using no_broadcast =
    message::E001_shapes_do_not_broadcast<P, typename text_of<A>::type, typename text_of<B>::type>;

/// Are these values of a graph? Then an operation on equal types is its equation, at once. One of two may be a constant
/// without a graph, but for names: only a value tells the sizes.
template <class... A> constexpr bool are_traced(A const&... a) {
  if constexpr ((A::is_static && ...)) return __builtin_is_constant_evaluated() && (access::traced(a).g || ...);
  else return __builtin_is_constant_evaluated() && (access::traced(a).g && ...);
}
template <class A> constexpr var constant_in(tracing::graph* g, A const& a) {
  return ops::full_anew(g, A::type, to_bits(A::type.d, access::number(a)));
}
template <class A> constexpr void write_constants(var*, A const&) {}
template <class A, class B> constexpr void write_constants(var* in, A const& a, B const& b) {
  if (!in[0].g) in[0] = constant_in(in[1].g, a);
  else if (!in[1].g) in[1] = constant_in(in[0].g, b);
}
// The type of an equation on operands of one shape. A name in R may stand for a size that x has.
template <class R, bool = R::is_static> struct type_beside {
  static constexpr tensor_type const& value = R::type;
  constexpr explicit type_beside(var) {}
};
template <class R> struct type_beside<R, false> {
  tensor_type value;
  constexpr explicit type_beside(var x) : value(tracing::type_of(x).with(R::type.d)) {}
};
template <class P, class R, class... A> constexpr R equation(A const&... a) {
  var in[] = {tracing::resolve(access::traced(a))...};
  write_constants(in, a...);
  type_beside<R> t(in[0]);
  return access::from<R>(tracing::emit(code<P>, in, sizeof...(A), nullptr, 0, t.value));
}

// An operand in the shape of the result, both static.
template <class A, class R> struct spread_words {
  static constexpr ops::broadcast_words value = matched_from_last(A::type, R::type);
};
template <class A, class R> struct spread_type {
  static constexpr tensor_type value = R::type.with(A::type.d);
};
template <class R, class A> constexpr var spread(var x) {
  if constexpr (A::type.same_shape(R::type)) return x;
  else
    return tracing::emit(code<ops::broadcast_p>, &x, 1, spread_words<A, R>::value.a, spread_words<A, R>::value.n,
                         spread_type<A, R>::value);
}

/// The same beside a number, whose array is written in x's shape.
template <class P, class R, bool NumberFirst, class A, class U> constexpr R equation_beside(A const& x, U number) {
  var of_x = tracing::resolve(access::traced(x));
  type_beside<A> t(of_x);
  type_beside<R> r(of_x);
  var other = ops::full_of(of_x.g, t.value, bits_beside(of_x.g, A::type.d, number));
  var in[] = {NumberFirst ? other : of_x, NumberFirst ? of_x : other};
  return access::from<R>(tracing::emit(code<P>, in, 2, nullptr, 0, r.value));
}

// What a binary function of A and B yields: `Floating` for functions of the reals, `Predicate` for bool.
template <class P, bool Floating, bool Predicate, class A, class B> constexpr auto binary_of(A const& a, B const& b) {
  if constexpr (any_array<A> && any_array<B>) {
    if constexpr (!broadcasts<A, B>()) {
      message::fail<no_broadcast<P, A, B>>();
      return binary_of<P, Floating, Predicate>(a, a);  // so that no error follows where the result is used
    } else if constexpr (!have_common<A, B>()) {
      message::fail<message::E136_no_common_element_type<A, B>>();
      return binary_of<P, Floating, Predicate>(a, a);
    } else {
      transform::names_agree(a, b);
      constexpr dtype common = promote(A::type.d, B::type.d);
      constexpr dtype d = Predicate ? dtype::boolean : Floating ? to_floating(common) : common;
      using R = array_of<broadcast_holder<d, A, B>>;
      if constexpr (A::type.d == B::type.d && (!Floating || is_floating(common))) {
        if constexpr (std::is_same_v<A, B>) {
          if (are_traced(a, b)) return equation<P, R>(a, b);
        } else if constexpr (A::is_static && B::is_static) {
          if (are_traced(a, b)) {
            var whole[] = {tracing::resolve(access::traced(a)), tracing::resolve(access::traced(b))};
            write_constants(whole, a, b);
            var in[] = {spread<R, A>(whole[0]), spread<R, B>(whole[1])};
            return access::from<R>(tracing::emit(code<P>, in, 2, nullptr, 0, R::type));
          }
        }
      }
      return to_array<R>(numpy::binary(code<P>, to_handle(a), to_handle(b), Floating));
    }
  } else if constexpr (any_array<A>) {
    constexpr dtype common = promote_weak(A::type.d, kind_of_literal<B>());
    constexpr dtype d = Predicate ? dtype::boolean : Floating ? to_floating(common) : common;
    using R = array_of<as_dtype<A, d>>;
    if constexpr (common == A::type.d && (!Floating || is_floating(common)))
      if (are_traced(a)) return equation_beside<P, R, false>(a, b);
    handle x = numpy::convert(to_handle(a),
                              Floating ? d : A::type.d);  // first: the number is one of the reals, not of x's type
    return to_array<R>(numpy::binary(code<P>, x, weak(b, x), Floating));
  } else {
    constexpr dtype common = promote_weak(B::type.d, kind_of_literal<A>());
    constexpr dtype d = Predicate ? dtype::boolean : Floating ? to_floating(common) : common;
    using R = array_of<as_dtype<B, d>>;
    if constexpr (common == B::type.d && (!Floating || is_floating(common)))
      if (are_traced(b)) return equation_beside<P, R, true>(b, a);
    handle y = numpy::convert(to_handle(b), Floating ? d : B::type.d);
    return to_array<R>(numpy::binary(code<P>, weak(a, y), y, Floating));
  }
}
template <class P, class A> constexpr auto unary_of(A const& a) {
  if (are_traced(a)) return equation<P, A>(a);
  return to_array<A>(numpy::call(code<P>, to_handle(a)));
}
template <class P, class A> constexpr auto real_of(A const& a) {
  constexpr dtype d = to_floating(A::type.d);
  if constexpr (d == A::type.d)
    if (are_traced(a)) return equation<P, A>(a);
  return to_array<array_of<as_dtype<A, d>>>(numpy::call(code<P>, numpy::convert(to_handle(a), d)));
}
template <class P, class A, class B> constexpr auto logic_of(A const& a, B const& b) {
  constexpr bool ok = A::type.d == dtype::boolean && B::type.d == dtype::boolean;
  if constexpr (!ok) {
    message::fail<message::E027_not_boolean<P, A, B>>();
    return a;
  } else return binary_of<P, false, true>(a, b);
}

}  // namespace numpy

/// x + y.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; a C++ number takes the array's kind
/// diff    linear
/// errors  E001 shapes do not broadcast
/// source  NumPy add
template <class A, class B> requires numpy::operands<A, B>
constexpr auto add(A const& x, B const& y) {
  return numpy::binary_of<ops::add_p, false, false>(x, y);
}

/// x - y.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; a C++ number takes the array's kind
/// diff    linear
/// errors  E001 shapes do not broadcast
/// source  NumPy subtract
template <class A, class B> requires numpy::operands<A, B>
constexpr auto subtract(A const& x, B const& y) {
  return numpy::binary_of<ops::sub_p, false, false>(x, y);
}

/// x * y.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; a C++ number takes the array's kind
/// diff    y and x; 0 where the cotangent is 0, whatever the factor
/// errors  E001 shapes do not broadcast
/// source  NumPy multiply
template <class A, class B> requires numpy::operands<A, B>
constexpr auto multiply(A const& x, B const& y) {
  return numpy::binary_of<ops::mul_p, false, false>(x, y);
}

/// x / y, a floating number also for integers.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; a C++ number takes the array's kind
/// diff    1/y and -x/y^2
/// errors  E001 shapes do not broadcast
/// source  NumPy divide
template <class A, class B> requires numpy::operands<A, B>
constexpr auto divide(A const& x, B const& y) {
  return numpy::binary_of<ops::div_p, true, false>(x, y);
}

/// The greater of x and y; NaN where either is.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; a C++ number takes the array's kind
/// diff    1 to the greater; one half each on ties
/// errors  E001 shapes do not broadcast
/// source  NumPy maximum
template <class A, class B> requires numpy::operands<A, B>
constexpr auto maximum(A const& x, B const& y) {
  return numpy::binary_of<ops::max_p, false, false>(x, y);
}

/// The less of x and y; NaN where either is.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; a C++ number takes the array's kind
/// diff    1 to the less; one half each on ties
/// errors  E001 shapes do not broadcast
/// source  NumPy minimum
template <class A, class B> requires numpy::operands<A, B>
constexpr auto minimum(A const& x, B const& y) {
  return numpy::binary_of<ops::min_p, false, false>(x, y);
}

namespace numpy {
/// Products of x with itself, n > 0 factors, by squaring.
template <class A> constexpr A power_by_squaring(A x, std::uint64_t n) {
  for (; (n & 1) == 0; n >>= 1) x = multiply(x, x);
  A r = x;
  while ((n >>= 1) != 0) {
    x = multiply(x, x);
    if ((n & 1) != 0) r = multiply(r, x);
  }
  return r;
}
/// x to a C++ integer.
template <class A> constexpr auto whole_power(A const& x, std::int64_t n) {
  if constexpr (A::type.d == dtype::boolean)
    return whole_power(to_array<array_of<as_dtype<A, dtype::i32>>>(convert(to_handle(x), dtype::i32)), n);
  else {
    if (n == 0) return to_array<A>(weak(1, to_handle(x)));
    std::uint64_t const size = n < 0 ? 0 - std::uint64_t(n) : std::uint64_t(n);
    if constexpr (is_floating(A::type.d)) {
      if (n < 0) return power_by_squaring(A(divide(1, x)), size);  // 1 / x^-n has no derivatives at 0
    } else if (n < 0) message::raise<131>("pow");
    return power_by_squaring(x, size);
  }
}
}  // namespace numpy

/// x to the power y. Of integers an integer, by squaring: products wrap. A C++ integer y is products too, also of a
/// floating x.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; a C++ number takes the array's kind
/// diff    y x^(y-1), 0 for y = 0; x^y log x, where log 0 is taken for 0; of a C++ integer y as of products
/// errors  E001 shapes do not broadcast; E131 an array of integers to a negative C++ integer. In an array of integers a
/// negative
///         exponent gives 1 / x^-y truncated: 0 but for x = 1 and -1
/// source  NumPy pow; JAX numpy.power
template <class A, class B> requires numpy::operands<A, B>
constexpr auto pow(A const& x, B const& y) {
  constexpr dtype d = numpy::common_dtype<A, B>();
  if constexpr (any_array<A> && std::is_integral_v<B> && !std::is_same_v<B, bool>)
    return numpy::whole_power(x, std::int64_t(y));
  else if constexpr (is_floating(d)) return numpy::binary_of<ops::pow_p, true, false>(x, y);
  else if constexpr (d == dtype::boolean) return pow(add(x, 0), y);
  else return numpy::binary_of<ops::integer_pow_p, false, false>(x, y);
}

/// -x.
///
/// shape   x [a] -> [a]
/// diff    linear
/// source  NumPy negative
template <any_array A> constexpr auto negative(A const& x) { return numpy::unary_of<ops::neg_p>(x); }

/// The absolute value.
///
/// shape   x [a] -> [a]
/// diff    sign(x), so 0 at 0
/// source  NumPy abs
template <any_array A> constexpr auto abs(A const& x) { return numpy::unary_of<ops::abs_p>(x); }

/// -1, 0 or 1.
///
/// shape   x [a] -> [a]
/// diff    0 everywhere
/// source  NumPy sign
template <any_array A> constexpr auto sign(A const& x) { return numpy::unary_of<ops::sign_p>(x); }

/// The square root.
///
/// shape   x [a] -> [a]
/// diff    1 / (2 sqrt(x)), inf at 0
/// source  NumPy sqrt
template <any_array A> constexpr auto sqrt(A const& x) { return numpy::real_of<ops::sqrt_p>(x); }

/// 1 / sqrt(x).
///
/// shape   x [a] -> [a]
/// diff    -1 / (2 x sqrt(x))
/// source  JAX lax.rsqrt
template <any_array A> constexpr auto rsqrt(A const& x) { return numpy::real_of<ops::rsqrt_p>(x); }

/// e to the power x.
///
/// shape   x [a] -> [a]
/// diff    exp(x)
/// source  NumPy exp
template <any_array A> constexpr auto exp(A const& x) { return numpy::real_of<ops::exp_p>(x); }

/// exp(x) - 1, accurate near 0.
///
/// shape   x [a] -> [a]
/// diff    exp(x)
/// source  NumPy expm1
template <any_array A> constexpr auto expm1(A const& x) { return numpy::real_of<ops::expm1_p>(x); }

/// The natural logarithm.
///
/// shape   x [a] -> [a]
/// diff    1 / x
/// source  NumPy log
template <any_array A> constexpr auto log(A const& x) { return numpy::real_of<ops::log_p>(x); }

/// log(1 + x), accurate near 0.
///
/// shape   x [a] -> [a]
/// diff    1 / (1 + x)
/// source  NumPy log1p
template <any_array A> constexpr auto log1p(A const& x) { return numpy::real_of<ops::log1p_p>(x); }

/// The sine; x in radians.
///
/// shape   x [a] -> [a]
/// diff    cos(x)
/// source  NumPy sin
template <any_array A> constexpr auto sin(A const& x) { return numpy::real_of<ops::sin_p>(x); }

/// The cosine; x in radians.
///
/// shape   x [a] -> [a]
/// diff    -sin(x)
/// source  NumPy cos
template <any_array A> constexpr auto cos(A const& x) { return numpy::real_of<ops::cos_p>(x); }

/// The hyperbolic tangent.
///
/// shape   x [a] -> [a]
/// diff    1 - tanh(x)^2
/// source  NumPy tanh
template <any_array A> constexpr auto tanh(A const& x) { return numpy::real_of<ops::tanh_p>(x); }

/// 1 / (1 + exp(-x)).
///
/// shape   x [a] -> [a]
/// diff    s (1 - s)
/// source  JAX lax.logistic
template <any_array A> constexpr auto logistic(A const& x) { return numpy::real_of<ops::logistic_p>(x); }

/// The error function.
///
/// shape   x [a] -> [a]
/// diff    2 / sqrt(pi) exp(-x^2)
/// source  JAX lax.erf
template <any_array A> constexpr auto erf(A const& x) { return numpy::real_of<ops::erf_p>(x); }

/// x == y. The result is bool.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; a C++ number takes the array's kind
/// diff    0 everywhere
/// errors  E001 shapes do not broadcast
/// source  NumPy equal
template <class A, class B> requires numpy::operands<A, B>
constexpr auto equal(A const& x, B const& y) {
  return numpy::binary_of<ops::eq_p, false, true>(x, y);
}

/// x != y. The result is bool.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; a C++ number takes the array's kind
/// diff    0 everywhere
/// errors  E001 shapes do not broadcast
/// source  NumPy not_equal
template <class A, class B> requires numpy::operands<A, B>
constexpr auto not_equal(A const& x, B const& y) {
  return numpy::binary_of<ops::ne_p, false, true>(x, y);
}

/// x < y. The result is bool.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; a C++ number takes the array's kind
/// diff    0 everywhere
/// errors  E001 shapes do not broadcast
/// source  NumPy less
template <class A, class B> requires numpy::operands<A, B>
constexpr auto less(A const& x, B const& y) {
  return numpy::binary_of<ops::lt_p, false, true>(x, y);
}

/// x <= y. The result is bool.
///
/// shape   x [a], y [b], broadcast to one shape
/// dtype   promoted; a C++ number takes the array's kind
/// diff    0 everywhere
/// errors  E001 shapes do not broadcast
/// source  NumPy less_equal
template <class A, class B> requires numpy::operands<A, B>
constexpr auto less_equal(A const& x, B const& y) {
  return numpy::binary_of<ops::le_p, false, true>(x, y);
}

/// x > y. The result is bool.
template <class A, class B> requires numpy::operands<A, B>
constexpr auto greater(A const& x, B const& y) {
  return less(y, x);
}
/// x >= y. The result is bool.
template <class A, class B> requires numpy::operands<A, B>
constexpr auto greater_equal(A const& x, B const& y) {
  return less_equal(y, x);
}

/// x && y of bool arrays.
///
/// errors  E027 an operand is not bool
template <any_array A, any_array B> constexpr auto logical_and(A const& x, B const& y) {
  return numpy::logic_of<ops::logical_and_p>(x, y);
}
/// x || y of bool arrays.
template <any_array A, any_array B> constexpr auto logical_or(A const& x, B const& y) {
  return numpy::logic_of<ops::logical_or_p>(x, y);
}
/// Exactly one of x and y, of bool arrays.
template <any_array A, any_array B> constexpr auto logical_xor(A const& x, B const& y) {
  return numpy::logic_of<ops::logical_xor_p>(x, y);
}
/// !x of a bool array.
template <any_array A> constexpr auto logical_not(A const& x) {
  if constexpr (A::type.d != dtype::boolean) message::fail<message::E027_not_boolean<ops::logical_not_p, A>>();
  return numpy::unary_of<ops::logical_not_p>(x);
}

/// x * x.
template <any_array A> constexpr auto square(A const& x) { return multiply(x, x); }
/// 1 / (1 + exp(-x)).
template <any_array A> constexpr auto sigmoid(A const& x) { return logistic(x); }
/// Where x is NaN.
template <any_array A> constexpr auto isnan(A const& x) { return not_equal(x, x); }

/// x in the element type T: the only way to narrow. Floating to integer truncates and saturates.
///
/// diff    linear between floating types, 0 otherwise
template <element T, any_array A> constexpr auto astype(A const& x) {
  return numpy::to_array<array_of<numpy::as_dtype<A, dtype_of<T>>>>(numpy::convert(numpy::to_handle(x), dtype_of<T>));
}

/// x, constant to derivatives; trees too.
///
/// source  JAX lax.stop_gradient
template <class T> constexpr auto stop_gradient(T const& t) {
  return tree::map(
      [](auto const& x) {
        if constexpr (any_array<decltype(x)>) return numpy::unary_of<ops::stop_gradient_p>(x);
        else return x;
      },
      t);
}

/// x where the condition holds, y elsewhere.
///
/// shape   all three broadcast to one shape
/// diff    of the branch taken; the other may be inf or NaN and the gradient stays finite
/// dtype   that of the arrays x and y; of two C++ numbers i32, or f32 where they are float. Two numbers of which one is
/// double say
///         nothing: E091
/// errors  E027 the condition is not bool, E001 shapes do not broadcast, E091
/// source  NumPy where
template <any_array C, class A, class B> requires(numpy::operand<A> && numpy::operand<B>)
constexpr auto where(C const& condition, A const& x, B const& y) {
  using namespace numpy;
  if constexpr (C::type.d != dtype::boolean) message::fail<message::E027_not_boolean<ops::select_p, C>>();
  if constexpr (any_array<A> || any_array<B>) {
    using X = beside<A, B>;
    using Y = beside<B, A>;
    constexpr bool ok = broadcast_type<C, X, Y>::ok();
    if constexpr (!ok) {
      message::fail<message::E001_shapes_do_not_broadcast<ops::select_p, typename text_of<C>::type,
                                                          typename text_of<X>::type, typename text_of<Y>::type>>();
      return x;
    } else if constexpr (!have_common<X, Y>()) {
      message::fail<message::E136_no_common_element_type<X, Y>>();
      return x;
    } else {
      using R = array_of<broadcast_holder<promote(X::type.d, Y::type.d), C, X, Y>>;
      transform::names_agree(condition, x, y);
      handle p = to_handle(condition), a = to_handle(x, y), b = to_handle(y, x);
      tensor_type t = p.type();
      broadcast_shapes(tensor_type(t), a.type(), t);
      broadcast_shapes(tensor_type(t), b.type(), t);
      handle in[] = {numpy::broadcast_to(p, t), numpy::broadcast_to(numpy::convert(a, R::type.d), t),
                     numpy::broadcast_to(numpy::convert(b, R::type.d), t)};
      return to_array<R>(call(code<ops::select_p>, in, 3));
    }
  } else {
    constexpr bool told = !std::is_same_v<A, double> && !std::is_same_v<B, double>;
    if constexpr (!told) message::fail<message::E091_no_element_type<A, B>>();
    constexpr dtype d = promote_weak(promote_weak(dtype::boolean, kind_of_literal<A>()), kind_of_literal<B>());
    return where(condition, array<element_of<d>>(x), array<element_of<d>>(y));
  }
}

/// x kept between low and high.
template <any_array A, numpy::operand L, numpy::operand H>
constexpr auto clip(A const& x, L const& low, H const& high) {
  return minimum(maximum(x, low), high);
}

/// The rectifier: x where it is positive, 0 elsewhere; NaN where x is. The derivative at 0 is 0.
///
/// source  JAX nn.relu
template <any_array A> constexpr auto relu(A const& x) {
  if constexpr (A::type.d == dtype::boolean) return add(x, 0);
  else return numpy::unary_of<ops::relu_p>(x);
}

// Operators. && and || evaluate both sides, as NumPy's & and | do. They look at the shapes themselves: one place less
// in an error.
#define ETNA_OPERATOR(OP, P, FUNCTION)                       \
  template <class A, class B> requires numpy::operands<A, B> \
  constexpr auto operator OP(A const& x, B const& y) {       \
    if constexpr (!numpy::broadcasts<A, B>()) {              \
      message::fail<numpy::no_broadcast<ops::P, A, B>>();    \
      return numpy::array_operand(x, y);                     \
    } else return FUNCTION(x, y);                            \
  }
ETNA_OPERATOR(+, add_p, add)
ETNA_OPERATOR(-, sub_p, subtract)
ETNA_OPERATOR(*, mul_p, multiply)
ETNA_OPERATOR(/, div_p, divide)
template <any_array A> constexpr auto operator-(A const& x) { return negative(x); }
ETNA_OPERATOR(==, eq_p, equal)
ETNA_OPERATOR(!=, ne_p, not_equal)
ETNA_OPERATOR(<, lt_p, less)
ETNA_OPERATOR(<=, le_p, less_equal)
ETNA_OPERATOR(>, lt_p, greater)
ETNA_OPERATOR(>=, le_p, greater_equal)
#undef ETNA_OPERATOR
template <any_array A, any_array B> constexpr auto operator&&(A const& x, B const& y) { return logical_and(x, y); }
template <any_array A, any_array B> constexpr auto operator||(A const& x, B const& y) { return logical_or(x, y); }
template <any_array A> constexpr auto operator!(A const& x) { return logical_not(x); }
template <any_array A, numpy::operand B> constexpr A& operator+=(A& x, B const& y) { return x = x + y; }
template <any_array A, numpy::operand B> constexpr A& operator-=(A& x, B const& y) { return x = x - y; }
template <any_array A, numpy::operand B> constexpr A& operator*=(A& x, B const& y) { return x = x * y; }
template <any_array A, numpy::operand B> constexpr A& operator/=(A& x, B const& y) { return x = x / y; }

}  // namespace etna
