// SPDX-License-Identifier: BSD-3-Clause
// Arrays from nothing: zeros, ones, full, arange, linspace, eye, and *_like. Inside a traced function
// they are constants of the graph. Read next: linalg.hpp.
#pragma once
#include <algorithm>

#include "manipulate.hpp"

namespace etna {
namespace numpy {
/// v everywhere. Numbers are written at once, without the interpreter.
template <class R, class U> constexpr R filled(U v) {
  auto const number = held_number<typename R::value_type>(v);
  if constexpr (R::is_static)
    if (!__builtin_is_constant_evaluated())
      return R::build([&](typename R::value_type* to) { std::fill_n(to, R::type.size(), number); });
  if (__builtin_is_constant_evaluated()) return access::everywhere<R>(number);
  return to_array<R>(full(R::type, to_bits(R::type.d, number)));
}
constexpr handle ramp(tensor_type const& t, int axis) {
  std::int64_t a = axis;
  return call(code<ops::iota_p>, nullptr, 0, &a, 1, 0, t);
}
// like x, also where a name stands for a size that only the value has; where x is traced, in its graph
template <class A, class U> constexpr A filled_like(A const& x, U v) {
  if (__builtin_is_constant_evaluated())
    if (var of_x = tracing::resolve(access::traced(x)); of_x.g) {
      tensor_type const t = tracing::type_of(of_x);
      return access::from<A>(ops::full_of(of_x.g, t, bits_beside(of_x.g, A::type.d, v)));
    }
  if constexpr (A::is_static) return filled<A>(v);
  else return to_array<A>(full(to_handle(x).type(), bits_beside(nullptr, A::type.d, v)));
}
/// No element type may lose values of V, a number or an array of one.
template <class T, class V> constexpr void require_wider() {
  if constexpr (any_array<V>) {
    if constexpr (!promotes_to(V::type.d, dtype_of<T>))
      message::fail<message::E002_narrowing<message::from<typename V::value_type>, message::to<T>>>();
  } else if constexpr (is_real<V> && !is_real<T>)
    message::fail<message::E002_narrowing<message::from<V>, message::to<T>>>();
}
}  // namespace numpy

/// All elements 0: zeros<float, 3, 4>().
template <element T, extent... E> constexpr auto zeros() { return numpy::filled<array<T, E...>>(0); }
/// All elements 1.
template <element T, extent... E> constexpr auto ones() { return numpy::filled<array<T, E...>>(1); }
/// All elements v, a number or an array of one: full<float, 3, 4>(0.5).
///
/// diff    linear in v
/// errors  E002 narrowing
/// source  NumPy full
template <element T, extent... E, numpy::scalar_operand U> constexpr auto full(U const& v) {
  numpy::require_wider<T, U>();
  using R = array<T, E...>;
  if constexpr (any_array<U>)
    return numpy::to_array<R>(numpy::broadcast_to(numpy::convert(numpy::to_handle(v), dtype_of<T>), R::type));
  else return numpy::filled<R>(v);
}
/// 0, 1, ... N-1.
///
/// errors  E092 T does not hold N-1
template <element T, extent N> constexpr auto arange() {
  if constexpr (N > 0 && !holds_number(dtype_of<T>, N - 1))
    message::fail<message::E092_number_does_not_fit<message::to<T>, message::shape_text<N>>>();
  return numpy::to_array<array<T, N>>(numpy::ramp(array<T, N>::type, 0));
}
/// N values from `from` to `to`, both included; of one value `from`. The ends are numbers or arrays of one.
///
/// diff    1 - i / (N - 1) and i / (N - 1)
/// errors  E026 not floating, E042 a named size
/// source  NumPy linspace: the last is `to` itself
template <element T, extent N, numpy::scalar_operand A, numpy::scalar_operand B>
constexpr auto linspace(A const& from, B const& to) {
  if constexpr (!is_real<T>) message::fail<message::E026_not_floating<T>>();
  if constexpr (N < 0) message::fail<message::E042_part_of_a_named_axis<message::shape_text<N>>>();
  auto each = arange<T, N>();
  auto first = numpy::parameter<T>(from);
  if constexpr (N < 2) return each + first;  // 0 more
  else {
    auto last = numpy::parameter<T>(to);
    auto step = [&] {  // of numbers with all their digits
      if constexpr (any_array<A> || any_array<B>) return (last - first) / T(N - 1);
      else return T((double(to) - double(from)) / double(N - 1));
    }();
    return where(equal(each, T(N - 1)), last, each * step + first);
  }
}
/// The identity matrix.
template <element T, extent N> constexpr auto eye() {
  tensor_type t{dtype::i32, 2, {N, N}};
  numpy::handle in[] = {numpy::ramp(t, 0), numpy::ramp(t, 1)};
  return numpy::to_array<array<T, N, N>>(numpy::convert(numpy::call(ops::code<ops::eq_p>, in, 2), dtype_of<T>));
}
/// Zeros of x's shape and element type; trees too.
template <class T> constexpr T zeros_like(T const& t) {
  return tree::map(
      [](auto const& x) {
        if constexpr (any_array<decltype(x)>) return numpy::filled_like(x, 0);
        else return std::remove_cvref_t<decltype(x)>(0);
      },
      t);
}
/// Ones of x's shape and element type; trees too.
template <class T> constexpr T ones_like(T const& t) {
  return tree::map(
      [](auto const& x) {
        if constexpr (any_array<decltype(x)>) return numpy::filled_like(x, 1);
        else return std::remove_cvref_t<decltype(x)>(1);
      },
      t);
}
/// v everywhere, a number or an array of one, in x's shape and element type.
template <any_array A, numpy::scalar_operand U> constexpr A full_like(A const& x, U const& v) {
  numpy::require_wider<typename A::value_type, U>();
  if constexpr (any_array<U>)
    return numpy::to_array<A>(
        numpy::broadcast_to(numpy::convert(numpy::to_handle(v), A::type.d), numpy::to_handle(x).type()));
  else return numpy::filled_like(x, v);
}

/// 1 where the last (new) axis equals the label, 0 elsewhere: one_hot<float, 10>(labels).
template <element T, extent N, any_array A> constexpr auto one_hot(A const& labels) {
  if constexpr (!is_integer(A::type.d)) message::fail<message::E033_index_not_integer<A>>();
  if constexpr (N > 0 && !holds_number(A::type.d, N - 1))
    return one_hot<T, N>(astype<int>(labels));  // more classes than labels can name
  else return astype<T>(equal(expand_dims<-1>(labels), astype<typename A::value_type>(arange<int, N>())));
}

// Sizes are not taken as arguments.
ETNA_REFUSE_SIZES(zeros, "zeros<float, 3, 4>()");
ETNA_REFUSE_SIZES(ones, "ones<float, 3, 4>()");
ETNA_REFUSE_SIZES(arange, "arange<int, 10>()");
ETNA_REFUSE_SIZES(eye, "eye<float, 3>()");
template <class..., numpy::operand A, numpy::operand B, message::axis_number N>
ETNA_REFUSAL(E036_axes_are_template_arguments, "E036: sizes are template arguments; write linspace<float, 5>(from, to)",
             linspace(A const&, B const&, N const&));
template <class..., any_array A, message::axis_number N>
ETNA_REFUSAL(E036_axes_are_template_arguments, "E036: sizes are template arguments; write one_hot<float, 10>(labels)",
             one_hot(A const&, N const&));
template <class..., numpy::operand V> ETNA_REFUSAL(E036_axes_are_template_arguments,
                                                   "E036: sizes are template arguments; write full<float, 3, 4>(v)",
                                                   full(std::initializer_list<int>, V const&));

}  // namespace etna
