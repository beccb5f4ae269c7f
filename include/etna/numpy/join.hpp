// SPDX-License-Identifier: BSD-3-Clause
// Arrays put together and taken apart: pad, concatenate, stack, split, roll, tile, repeat. Joined blocks are written to
// one buffer; nothing is a row of its own. Read next: position.hpp.
#pragma once
#include "blocks.hpp"

namespace etna {
namespace numpy {

template <int Axis, class... A> struct joined {
  static constexpr tensor_type types[] = {A::type...};
  static constexpr int rank = types[0].rank;
  static constexpr int axis = Axis < 0 ? Axis + rank : Axis;
  static constexpr dtype d = [] {
    dtype r = types[0].d;
    if (have_common<A...>()) ((r = promote(r, A::type.d)), ...);
    return r;
  }();
  static constexpr bool has_axis = axis >= 0 && axis < rank;
  static constexpr extent size() {
    extent all = 0;
    for (auto const& t : types) all = ext::add(all, t.e[axis]);
    return all;
  }
  static constexpr bool ok = [] {
    if (!has_axis) return false;
    for (auto const& t : types) {
      if (t.rank != rank) return false;
      for (int i = 0; i < rank; ++i)
        if (i != axis && t.e[i] != types[0].e[i]) return false;
    }
    return size() != ext::invalid;
  }();
  static constexpr tensor_type value = [] {
    tensor_type t = types[0].with(d);
    if (!ok) return t;
    t.e[axis] = size();
    return t;
  }();
};
/// Widths of pad: one for all sides, a pair, or a pair for each axis.
struct pad_widths {
  int n;
  extent w[2 * max_rank + 1];
  constexpr extent width(int axis, int side) const { return w[n == 1 ? 0 : n == 2 ? side : 2 * axis + side]; }
  constexpr bool fit(tensor_type const& x) const {
    if (n != 1 && n != 2 && n != 2 * x.rank) return false;
    for (int i = 0; i < x.rank; ++i)
      for (int side = 0; side < 2; ++side)
        if (width(i, side) < 0) return false;
    tensor_type to = grow(x);
    for (int i = 0; i < x.rank; ++i)
      if (to.e[i] == ext::invalid) return false;
    return true;
  }
  constexpr tensor_type grow(tensor_type t) const {
    for (int i = 0; i < t.rank; ++i)
      if (extent more = width(i, 0) + width(i, 1); more > 0) t.e[i] = ext::add(t.e[i], more);
    return t;
  }
};
template <class A, int... Width> struct padded {
  static_assert(int(sizeof...(Width)) <= 2 * max_rank);
  static constexpr pad_widths widths{int(sizeof...(Width)), {Width...}};
  static constexpr bool ok = widths.fit(A::type);
  static constexpr tensor_type value = ok ? widths.grow(A::type) : A::type;
};
/// v, a number or an array of one, in this shape and element type, beside x.
template <class V> constexpr handle everywhere(tensor_type const& t, V const& v, handle const& x) {
  if constexpr (any_array<V>) return broadcast_to(convert(to_handle(v), t.d), t);
  else return full(t, bits_beside(x.traced().g, t.d, v));
}
template <class A, int N, int Axis> struct part {
  static constexpr int axis = Axis < 0 ? Axis + A::rank : Axis;
  static constexpr bool has_axis = axis >= 0 && axis < A::rank;
  static constexpr extent quotient = has_axis && N > 0 ? ext::quotient(A::type.e[has_axis ? axis : 0], N)
                                                       : ext::invalid;
  static constexpr bool ok = quotient != ext::invalid;
  static constexpr extent size = ok ? quotient : 0;
  static constexpr tensor_type value = [] {
    tensor_type t = A::type;
    if (ok) t.e[axis] = size;
    return t;
  }();
};
template <class P, int Axis, class A> constexpr auto require_axis() { require_axes<P, A, Axis>(); }
/// Has A this axis, and is its size known? Otherwise the compiler stops with the reason.
template <int Axis, class A> constexpr bool require_sized_axis() {
  constexpr int axis = Axis < 0 ? Axis + A::rank : Axis;
  require_axis<ops::slice_p, Axis, A>();
  if constexpr (axis < 0 || axis >= A::rank) return false;
  else if constexpr (A::type.e[axis] < 0) {
    message::fail<message::E042_part_of_a_named_axis<typename text_of<A>::type, message::axis<Axis>>>();
    return false;
  } else return true;
}

// x with axis `axis` as [outer, n, inner] repeated by `reps` on one side of n
constexpr handle repeated(handle const& x, int axis, extent reps, bool whole) {
  tensor_type t = x.type(), wide = t.insert(whole ? axis : axis + 1, reps), to = t;
  ops::broadcast_words w(wide);
  for (int i = 0; i < t.rank; ++i) w.put(i + (i > axis || (whole && i == axis)));
  to.e[axis] = ext::mul(t.e[axis], reps);
  return numpy::reshape(call(code<ops::broadcast_p>, x, w.a, w.n), to);
}
template <class A, int N, int Axis> struct lengthened {
  static constexpr tensor_type value = [] {
    tensor_type t = A::type;
    t.e[Axis] = ext::mul(t.e[Axis], N);
    return t;
  }();
};
/// How often tile repeats each axis of the result.
struct repetitions {
  int n, rank;
  extent r[max_rank + 1];
  constexpr extent of(int axis) const { return axis < rank - n ? 1 : r[axis - (rank - n)]; }
  constexpr tensor_type widened(tensor_type const& x) const {
    tensor_type t{x.d, rank, {}};
    for (int i = 0; i < rank; ++i) t.e[i] = i < rank - x.rank ? 1 : x.e[i - (rank - x.rank)];
    return t;
  }
  constexpr tensor_type tiled(tensor_type const& x) const {
    tensor_type t = widened(x);
    for (int i = 0; i < rank; ++i) t.e[i] = ext::mul(t.e[i], of(i));
    return t;
  }
};
template <class A, int... Reps> struct tiled {
  static constexpr int n = sizeof...(Reps), rank = A::rank > n ? A::rank : n;
  static_assert(message::holds<(rank < max_rank), message::E012_too_many_axes<message::rank<rank + 1>>>);
  static constexpr repetitions times{n, rank, {Reps...}};
  static constexpr tensor_type value = times.tiled(A::type);
};

}  // namespace numpy

/// Arrays one behind the other along an axis.
///
/// shape   [n, b], [m, b] -> [n + m, b]
/// dtype   promoted
/// diff    linear; transpose slices
/// errors  E005 axis out of range, E044 other axes differ
/// source  NumPy concatenate
template <int Axis = 0, any_array A, any_array... B> constexpr auto concatenate(A const& x, B const&... more) {
  using J = numpy::joined<Axis, A, B...>;
  numpy::require_axis<ops::update_p, Axis, A>();
  if constexpr (J::has_axis && !J::ok)
    message::fail<message::E044_shapes_do_not_join<message::axis<Axis>, typename numpy::text_of<A>::type,
                                                   typename numpy::text_of<B>::type...>>();
  constexpr bool common = numpy::have_common<A, B...>();
  if constexpr (!common) message::fail<message::E136_no_common_element_type<A, B...>>();
  if constexpr (!J::ok || !common) return x;
  else {
    using R = array_of<J>;
    transform::names_agree(x, more...);
    numpy::handle all[] = {numpy::convert(numpy::to_handle(x), J::d), numpy::convert(numpy::to_handle(more), J::d)...};
    tensor_type to = all[0].type();
    to.e[J::axis] = numpy::sum_along(all, 1 + int(sizeof...(B)), J::axis);
    return numpy::to_array<R>(numpy::join_along(all, 1 + int(sizeof...(B)), J::axis, to));
  }
}
template <int Axis = 0, any_array A, std::size_t N> requires(N > 0)
constexpr auto concatenate(std::array<A, N> const& x) {
  return std::apply([](auto const&... a) { return concatenate<Axis>(a...); }, x);
}
template <int Axis = 0, any_array... A> constexpr auto concatenate(std::tuple<A...> const& x) {
  return std::apply([](auto const&... a) { return concatenate<Axis>(a...); }, x);
}
/// Arrays of one shape along a new axis.
///
/// errors  E005 axis out of range, E044 the shapes differ
/// source  NumPy stack
template <int Axis = 0, any_array A, any_array... B> constexpr auto stack(A const& x, B const&... more) {
  return concatenate<Axis>(expand_dims<Axis>(x), expand_dims<Axis>(more)...);
}
template <int Axis = 0, any_array A, std::size_t N> requires(N > 0)
constexpr auto stack(std::array<A, N> const& x) {
  return std::apply([](auto const&... a) { return stack<Axis>(a...); }, x);
}
/// Along the first axis; arrays of rank 0 and 1 become rows.
template <any_array A, any_array... B> constexpr auto vstack(A const& x, B const&... more) {
  auto row = []<class X>(X const& y) {
    if constexpr (X::rank == 0) return reshape<1, 1>(y);
    else if constexpr (X::rank == 1) return expand_dims<0>(y);
    else return y;
  };
  return concatenate<0>(row(x), row(more)...);
}
/// Along the second axis; arrays of rank 0 and 1 along the only one.
template <any_array A, any_array... B> constexpr auto hstack(A const& x, B const&... more) {
  if constexpr (A::rank == 0) return concatenate<0>(reshape<1>(x), reshape<1>(more)...);
  else return concatenate<(A::rank == 1 ? 0 : 1)>(x, more...);
}
/// v around x: one width for all sides, a pair (before, after), or a pair for each axis.
///
/// diff    linear in x; transpose slices
/// errors  E043 widths
/// source  NumPy pad, mode constant
template <int... Width, any_array A, numpy::scalar_operand V = int> constexpr auto pad(A const& x, V const& v = 0) {
  using P = numpy::padded<A, Width...>;
  numpy::require_written<A, V>();
  if constexpr (!P::ok) {
    message::fail<message::E043_pad_widths<typename numpy::text_of<A>::type, message::indices<Width...>>>();
    return x;
  } else {
    numpy::handle h = numpy::to_handle(x), all = numpy::everywhere(P::widths.grow(h.type()), v, h), start[max_rank];
    ops::update_dim place[max_rank]{};
    bool named = false;
    for (int i = 0; i < A::rank; ++i) {
      place[i] = {P::widths.width(i, 0), 1};
      start[i] = numpy::whole_number(dtype::i64, place[i].start);
      named = named || h.type().e[i] < 0;
    }
    if (!named) return numpy::to_array<array_of<P>>(numpy::update(all, h, place));
    numpy::handle in[] = {all, h, numpy::as_vector(start, A::rank)};
    return numpy::to_array<array_of<P>>(numpy::call(ops::code<ops::dynamic_update_p>, in, 3));
  }
}
/// N equal parts along an axis, as std::array.
///
/// errors  E005 axis out of range, E045 the axis does not divide
/// source  NumPy split
template <int N, int Axis = 0, any_array A> constexpr auto split(A const& x) {
  using P = numpy::part<A, N, Axis>;
  numpy::require_axis<ops::slice_p, Axis, A>();
  if constexpr (P::has_axis && !P::ok)
    message::fail<
        message::E045_does_not_split<typename numpy::text_of<A>::type, message::axis<Axis>, message::indices<N>>>();
  if constexpr (!P::ok) return std::array<A, 1>{x};
  else
    return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
      numpy::handle h = numpy::to_handle(x);
      return std::array<array_of<P>, std::size_t(N)>{
          numpy::to_array<array_of<P>>(numpy::part_of(h, P::axis, int(Nth), N))...};
    }(std::make_index_sequence<std::size_t(N)>{});
}
/// The slices of x along an axis, without it, as std::array.
template <int Axis = 0, any_array A> constexpr auto unstack(A const& x) {
  constexpr int axis = Axis < 0 ? Axis + A::rank : Axis;
  constexpr extent n = axis >= 0 && axis < A::rank ? A::type.e[axis >= 0 && axis < A::rank ? axis : 0] : 1;
  auto parts = split<(n > 0 ? int(n) : -1), Axis>(x);
  return std::apply([](auto const&... p) { return std::array{squeeze<Axis>(p)...}; }, parts);
}
/// x shifted along an axis; what leaves at one end enters at the other.
///
/// errors  E005 axis out of range, E042 an axis with a name
/// source  NumPy roll
template <extent Shift, int Axis = 0, any_array A> constexpr auto roll(A const& x) {
  constexpr int axis = Axis < 0 ? Axis + A::rank : Axis;
  constexpr bool sized = numpy::require_sized_axis<Axis, A>();
  if constexpr (!sized) return x;
  else {
    constexpr extent n = A::type.e[axis], k = n == 0 ? 0 : (Shift % n + n) % n;
    if constexpr (k == 0) return x;
    else {
      numpy::handle h = numpy::to_handle(x);
      numpy::handle ends[] = {numpy::slice_axis(h, axis, n - k, k), numpy::slice_axis(h, axis, 0, n - k)};
      return numpy::to_array<A>(numpy::join_along(ends, 2, axis, h.type()));
    }
  }
}
/// x repeated as a whole, so often along each axis (matched from the last).
///
/// source  NumPy tile
template <int... Reps, any_array A> constexpr auto tile(A const& x) {
  using T = numpy::tiled<A, Reps...>;
  numpy::handle h = numpy::to_handle(x);
  h = numpy::reshape(h, T::times.widened(h.type()));
  for (int i = 0; i < T::rank; ++i)
    if (T::times.of(i) != 1) h = numpy::repeated(h, i, T::times.of(i), true);
  return numpy::to_array<array_of<T>>(h);
}
/// Each element N times along an axis.
///
/// errors  E005 axis out of range
/// source  NumPy repeat
template <int N, int Axis = 0, any_array A> constexpr auto repeat(A const& x) {
  constexpr int axis = Axis < 0 ? Axis + A::rank : Axis;
  numpy::require_axis<ops::broadcast_p, Axis, A>();
  if constexpr (axis < 0 || axis >= A::rank) return x;
  else {
    static_assert(N >= 0 &&
                  message::holds<(A::rank < max_rank), message::E012_too_many_axes<message::rank<A::rank + 1>>>);
    return numpy::to_array<array_of<numpy::lengthened<A, N, axis>>>(
        numpy::repeated(numpy::to_handle(x), axis, N, false));
  }
}

// What is not taken behind the array.
ETNA_REFUSE(split, message::takes_nothing, "split<3, 0>(x)", "parts of unequal sizes are slices");
ETNA_REFUSE(unstack, message::takes_nothing, "unstack<0>(x)", "the axis is a template argument");
ETNA_REFUSE(roll, message::takes_nothing, "roll<1, 0>(x)", "the shift is a template argument");
ETNA_REFUSE(tile, message::takes_nothing, "tile<2, 3>(x)", "how often is a template argument");
ETNA_REFUSE(repeat, message::takes_nothing, "repeat<2, 0>(x)", "how often is a template argument");

}  // namespace etna
