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
  if constexpr (R::is_static)
    if (!std::is_constant_evaluated())
      return R::build([&](typename R::value_type* to) { std::fill_n(to, R::type.size(), typename R::value_type(v)); });
  return to_array<R>(full(R::type, to_bits(R::type.d, v)));
}
constexpr handle ramp(tensor_type const& t, int axis) {
  std::int64_t a = axis;
  return call(code<ops::iota_p>, nullptr, 0, &a, 1, 0, &t);
}
// like x, also where a name stands for a size that only the value has
template <class A, class U> constexpr A filled_like(A const& x, U v) {
  if constexpr (A::is_static) return filled<A>(v);
  else return to_array<A>(full(to_handle(x).type(), to_bits(A::type.d, v)));
}
}  // namespace numpy

/// All elements 0: zeros<float, 3, 4>().
template <element T, extent... E> constexpr auto zeros() { return numpy::filled<array<T, E...>>(0); }
/// All elements 1.
template <element T, extent... E> constexpr auto ones() { return numpy::filled<array<T, E...>>(1); }
/// All elements v: full<float, 3, 4>(0.5).
template <element T, extent... E, class U> requires std::is_arithmetic_v<U> constexpr auto full(U v) {
  if constexpr (std::is_floating_point_v<U> && !std::is_floating_point_v<T>)
    message::fail<message::E002_narrowing<message::from<U>, message::to<T>>>();
  return numpy::filled<array<T, E...>>(v);
}
/// 0, 1, ... N-1.
template <element T, extent N> constexpr auto arange() { return numpy::to_array<array<T, N>>(numpy::ramp(array<T, N>::type, 0)); }
/// N values from `from` to `to`, both included.
///
/// source  NumPy linspace
template <element T, extent N> constexpr auto linspace(double from, double to) {
  if constexpr (!std::is_floating_point_v<T>) message::fail<message::E026_not_floating<T>>();
  return T(N > 1 ? (to - from) / double(N - 1) : 0.0) * arange<T, N>() + T(from);
}
/// The identity matrix.
template <element T, extent N> constexpr auto eye() {
  tensor_type t{dtype::i32, 2, {N, N}};
  numpy::handle in[] = {numpy::ramp(t, 0), numpy::ramp(t, 1)};
  return numpy::to_array<array<T, N, N>>(numpy::convert(numpy::call(ops::code<ops::eq_p>, in, 2), dtype_of<T>));
}
/// Zeros of x's shape and element type; trees too.
template <class T> constexpr T zeros_like(T const& t) {
  return tree::map([](auto const& x) {
    if constexpr (any_array<decltype(x)>) return numpy::filled_like(x, 0);
    else return std::remove_cvref_t<decltype(x)>(0);
  }, t);
}
/// Ones of x's shape and element type; trees too.
template <class T> constexpr T ones_like(T const& t) {
  return tree::map([](auto const& x) {
    if constexpr (any_array<decltype(x)>) return numpy::filled_like(x, 1);
    else return std::remove_cvref_t<decltype(x)>(1);
  }, t);
}
/// v everywhere, in x's shape and element type.
template <any_array A, class U> requires std::is_arithmetic_v<U> constexpr A full_like(A const& x, U v) {
  if constexpr (std::is_floating_point_v<U> && !is_floating(A::type.d))
    message::fail<message::E002_narrowing<message::from<U>, message::to<typename A::value_type>>>();
  return numpy::filled_like(x, v);
}

/// 1 where the last (new) axis equals the label, 0 elsewhere: one_hot<float, 10>(labels).
template <element T, extent N, any_array A> constexpr auto one_hot(A const& labels) {
  if constexpr (!is_integer(A::type.d)) message::fail<message::E033_index_not_integer<A>>();
  return astype<T>(equal(expand_dims<-1>(labels), astype<typename A::value_type>(arange<int, N>())));
}

}  // namespace etna
