// SPDX-License-Identifier: BSD-3-Clause
// Along an axis: running sums, products and extremes; sort, argsort and top_k. Read next: ../nn/loss.hpp.
#pragma once
#include "pick.hpp"

namespace etna {

struct backward_t {};
struct descending_t {};
/// From the end of the axis to its beginning: cumsum<0>(x, backward).
inline constexpr backward_t backward{};
/// The greatest first: sort<0>(x, descending).
inline constexpr descending_t descending{};

namespace numpy {

struct forward_t {};
/// What may stand behind the array.
template <class W> concept way_option = std::same_as<W, backward_t> || std::same_as<W, forward_t>;
template <class O> concept order_option = std::same_as<O, descending_t> || std::same_as<O, forward_t>;
template <class W, class...> inline constexpr bool takes_way = false;
template <class W> inline constexpr bool takes_way<W> = way_option<W>;
template <class O, class...> inline constexpr bool takes_order = false;
template <class O> inline constexpr bool takes_order<O> = order_option<O>;
template <class A, dtype D, int... Axis> struct along {
  static_assert(sizeof...(Axis) <= 1, "one axis, or none for all elements in row-major order");
  static constexpr axes_list axes = axes_of<Axis...>(A::rank);
  static constexpr bool flat = sizeof...(Axis) == 0;
  static constexpr int axis = flat || axes.wrong ? 0 : int(axes.a[0]);
  static constexpr tensor_type value = flat ? tensor_type{D, 1, {A::type.size()}} : A::type.with(D);
  static constexpr handle of(A const& x) {
    handle h = convert(to_handle(x), D);
    if constexpr (flat) return numpy::reshape(h, {D, 1, {h.type().size()}});
    else return h;
  }
};
template <class P, dtype D, int Result, int... Axis, class A, class W> constexpr auto run_along(A const& x, W) {
  using L = along<A, D, Axis...>;
  require_axes<P, A, Axis...>();
  if constexpr (L::axes.wrong != 0) return x;
  else {
    std::int64_t attr[] = {L::axis, std::is_same_v<W, backward_t>};
    return to_array<array_of<L>>(call(code<P>, L::of(x), attr, 2, Result));
  }
}
/// In order along an axis, or where its elements were; with Count the first so many of them.
template <class A, int Axis, int Result, extent Count = 0, class O> constexpr auto sorted(A const& x, O) {
  require_axes<ops::sort_p, A, Axis>();
  using Whole = as_dtype<A, Result == 0 ? A::type.d : dtype::i32>;
  using R = array_of<std::conditional_t<Count == 0, Whole, with_axis<array_of<Whole>, Axis, Count>>>;
  if constexpr (axes_of<Axis>(A::rank).wrong != 0) return R{};
  else {
    auto last = moveaxis<Axis, -1>(x);
    using All = as_dtype<decltype(last), R::type.d>;
    using Last = array_of<std::conditional_t<Count == 0, All, with_axis<array_of<All>, -1, Count>>>;
    std::int64_t attr[] = {std::is_same_v<O, descending_t>, Count};
    return moveaxis<-1, Axis>(to_array<Last>(call(code<ops::sort_p>, to_handle(last), attr, 2, Result)));
  }
}

}  // namespace numpy

/// Running sum along an axis, or over all elements in row-major order without one; from the end with `backward`.
///
/// dtype   same as x; bool is counted in i32
/// diff    linear; transpose is the running sum the other way
/// errors  E005 axis out of range
/// source  NumPy cumsum; f32 is summed in f64, but for rows of up to 16 elements where jit computes many side by side
template <int... Axis, any_array A, numpy::way_option W = numpy::forward_t>
constexpr auto cumsum(A const& x, W way = {}) {
  return numpy::run_along<ops::cumsum_p, numpy::summed(A::type.d), 0, Axis...>(x, way);
}
/// Running product along an axis, or over all elements in row-major order without one.
///
/// diff    exact at zeros too
/// errors  E005 axis out of range
/// source  NumPy cumprod
template <int... Axis, any_array A, numpy::way_option W = numpy::forward_t> constexpr auto cumprod(A const& x, W = {}) {
  constexpr dtype d = numpy::summed(A::type.d);
  using L = numpy::along<A, d, Axis...>;
  numpy::require_axes<ops::recurrence_p, A, Axis...>();
  if constexpr (L::axes.wrong != 0) return x;
  else {
    // the first element starts the recurrence, whose factors are the others
    constexpr bool back = std::is_same_v<W, backward_t>;
    numpy::handle h = L::of(x), first = numpy::full(h.type(), 0);
    extent n = h.type().e[L::axis];
    std::int64_t attr[] = {L::axis, back};
    numpy::handle at = numpy::ramp(h.type().with(dtype::i32), L::axis), end = numpy::whole_number(dtype::i32, 0);
    if (back)
      end = numpy::binary(ops::code<ops::sub_p>, numpy::size_of_axis(h, L::axis, dtype::i32),
                          numpy::whole_number(dtype::i32, 1));
    numpy::handle choose[] = {numpy::binary(ops::code<ops::eq_p>, at, end), h, first};
    numpy::handle in[] = {h, numpy::call(ops::code<ops::select_p>, choose, 3)};
    if (n == 0) return numpy::to_array<array_of<L>>(h);
    return numpy::to_array<array_of<L>>(numpy::call(ops::code<ops::recurrence_p>, in, 2, attr, 2));
  }
}
/// The greatest so far along an axis; NaN stays.
///
/// diff    that of the element which is the greatest, the first among equals
/// errors  E005 axis out of range
/// source  JAX lax.cummax
template <int Axis = 0, any_array A, numpy::way_option W = numpy::forward_t>
constexpr auto cummax(A const& x, W way = {}) {
  return numpy::run_along<ops::cummax_p, numpy::summed(A::type.d), 0, Axis>(x, way);
}
/// The least so far along an axis; as cummax.
template <int Axis = 0, any_array A, numpy::way_option W = numpy::forward_t>
constexpr auto cummin(A const& x, W way = {}) {
  return numpy::run_along<ops::cummin_p, numpy::summed(A::type.d), 0, Axis>(x, way);
}

/// x in ascending order along an axis, NaN last; the reverse with `descending`.
///
/// diff    each element to the place from which it came
/// errors  E005 axis out of range
/// source  NumPy sort, kind stable
template <int Axis = -1, any_array A, numpy::order_option O = numpy::forward_t>
constexpr auto sort(A const& x, O order = {}) {
  return numpy::sorted<A, Axis, 0>(x, order);
}
/// Where the elements of the sorted array come from (i32); equal elements keep their order.
///
/// errors  E005 axis out of range
/// source  NumPy argsort, kind stable
template <int Axis = -1, any_array A, numpy::order_option O = numpy::forward_t>
constexpr auto argsort(A const& x, O order = {}) {
  return numpy::sorted<A, Axis, 1>(x, order);
}
/// The K greatest of the last axis in descending order, and where they were (i32).
///
/// errors  E040 the axis has fewer elements, E042 an axis with a name
/// source  JAX lax.top_k
template <extent K, any_array A> constexpr auto top_k(A const& x) {
  constexpr extent n = A::rank == 0 ? 0 : A::type.e[A::rank - 1 + (A::rank == 0)];
  if constexpr (n < 0)
    message::fail<message::E042_part_of_a_named_axis<typename numpy::text_of<A>::type, message::indices<K>>>();
  else if constexpr (K > n || K < 0)
    message::fail<message::E040_index_out_of_range<typename numpy::text_of<A>::type, message::indices<K>>>();
  if constexpr (n < 0 || K > n || K < 0) return std::pair{x, x};
  else {
    auto none = [](auto const& y) {
      using Y = numpy::with_axis<std::remove_cvref_t<decltype(y)>, -1, 0>;
      return numpy::to_array<array_of<Y>>(numpy::slice_axis(numpy::to_handle(y), A::rank - 1, 0, 0));
    };
    if constexpr (K == 0) return std::pair{none(x), none(argsort<-1>(x))};
    else return std::pair{numpy::sorted<A, -1, 0, K>(x, descending), numpy::sorted<A, -1, 1, K>(x, descending)};
  }
}

// What is not taken behind the array.
ETNA_REFUSE(cumsum, numpy::takes_way, "cumsum<0>(x), cumsum<0>(x, backward)", "it takes backward alone");
ETNA_REFUSE(cumprod, numpy::takes_way, "cumprod<0>(x), cumprod<0>(x, backward)", "it takes backward alone");
ETNA_REFUSE(cummax, numpy::takes_way, "cummax<0>(x), cummax<0>(x, backward)", "it takes backward alone");
ETNA_REFUSE(cummin, numpy::takes_way, "cummin<0>(x), cummin<0>(x, backward)", "it takes backward alone");
ETNA_REFUSE(sort, numpy::takes_order, "sort<0>(x), sort<0>(x, descending)", "it takes descending alone");
ETNA_REFUSE(argsort, numpy::takes_order, "argsort<0>(x), argsort<0>(x, descending)", "it takes descending alone");
ETNA_REFUSE(top_k, message::takes_nothing, "top_k<3>(x)", "it is of the last axis: swapaxes, and top_k of that");

}  // namespace etna
