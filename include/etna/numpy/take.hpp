// SPDX-License-Identifier: BSD-3-Clause
// Reading by integer index: take and take_along_axis. Negative indices count from the end; one out
// of range reads NaN (0 for integers). Read next: ../nn/loss.hpp.
#pragma once
#include "create.hpp"

namespace etna {
namespace numpy {

template <class A, class Index, int Axis> struct taken {
  static constexpr int axis = Axis < 0 ? Axis + A::rank : Axis;
  static constexpr bool ok = axis >= 0 && axis < A::rank;
  static constexpr std::int64_t attr[] = {axis, 0};
  static constexpr tensor_type make() {
    tensor_type in[] = {A::type, Index::type}, out;
    return ok && ops::gather_p::shape(in, 2, attr, 2, &out) == 0 ? out : A::type;
  }
  static constexpr tensor_type value = make();
};
template <class A, class Index, int Axis> struct taken_along {
  static constexpr int axis = Axis < 0 ? Axis + A::rank : Axis;
  static constexpr bool ok() {
    if (A::rank != Index::rank || axis < 0 || axis >= A::rank) return false;
    for (int i = 0; i < A::rank; ++i)
      if (i != axis && A::type.e[i] != Index::type.e[i]) return false;
    return true;
  }
};
template <class P, class Index> constexpr auto require_index() {
  if constexpr (!is_integer(Index::type.d)) message::fail<message::E033_index_not_integer<P, Index>>();
}

}  // namespace numpy

/// Slices of x along an axis, at the indices.
///
/// shape   x [a, n, b], index [i] -> [a, i, b]
/// diff    linear in x; transpose adds the slices back
/// errors  E005 axis out of range, E033 the index is not of integers
/// source  NumPy take
template <int Axis = 0, any_array A, any_array Index> constexpr auto take(A const& x, Index const& index) {
  using T = numpy::taken<A, Index, Axis>;
  numpy::require_index<ops::gather_p, Index>();
  if constexpr (!T::ok) {
    message::fail<
        message::E005_axis_out_of_range<ops::gather_p, message::axis<Axis>, typename numpy::text_of<A>::type>>();
    return x;
  } else {
    transform::names_agree(x, index);
    numpy::handle in[] = {numpy::to_handle(x), numpy::to_handle(index)};
    return numpy::to_array<array_of<T>>(numpy::call(ops::code<ops::gather_p>, in, 2, T::attr, 2));
  }
}

/// For each place of the index along an axis, the element of x that it names there.
///
/// shape   x [a, n], index [a, i] -> [a, i]
/// errors  E005 axis out of range, E001 other axes differ, E033 the index is not of integers
/// source  NumPy take_along_axis
template <int Axis, any_array A, any_array Index> constexpr auto take_along_axis(A const& x, Index const& index) {
  constexpr bool ok = numpy::taken_along<A, Index, Axis>::ok();
  numpy::require_index<ops::gather_p, Index>();
  if constexpr (!ok) {
    message::fail<message::E001_shapes_do_not_broadcast<ops::gather_p, typename numpy::text_of<A>::type,
                                                        typename numpy::text_of<Index>::type>>();
    return x;
  } else if constexpr (numpy::taken_along<A, Index, Axis>::axis != A::rank - 1) {
    return moveaxis<-1, Axis>(take_along_axis<-1>(moveaxis<Axis, -1>(x), moveaxis<Axis, -1>(index)));
  } else {
    constexpr std::int64_t attr[] = {A::rank - 1, A::rank - 1};
    using R = array_of<numpy::as_dtype<Index, A::type.d>>;
    transform::names_agree(x, index);
    numpy::handle in[] = {numpy::to_handle(x), numpy::to_handle(index)};
    return numpy::to_array<R>(numpy::call(ops::code<ops::gather_p>, in, 2, attr, 2));
  }
}

}  // namespace etna
