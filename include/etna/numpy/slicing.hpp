// SPDX-License-Identifier: BSD-3-Clause
// Parts of an array by position: slice<1, range{0, 3}>(x) as x[1, 0:3] in NumPy, x.at<...>() as in JAX, and flip.
// Everything here is known while compiling; for run-time positions see position.hpp. Read next: blocks.hpp.
#pragma once
#include "create.hpp"

namespace etna {

/// An end of a range that is left out.
inline constexpr extent rest = INT64_MIN;
/// from:to:step along an axis as in NumPy: negatives count from the end, what lies outside is cut off.
struct range {
  extent from = rest, to = rest, step = 1;
};
struct every_t {};
struct newaxis_t {};
/// A whole axis.
inline constexpr every_t every{};
/// A new axis of size 1.
inline constexpr newaxis_t newaxis{};

namespace numpy {

struct index {
  enum kind_t { whole, number, span, new_axis, other } kind;
  extent from, to, step;
};
template <class Index> constexpr index index_of(Index const&) { return {index::other, 0, 0, 1}; }
template <class Index> requires std::is_integral_v<Index>
constexpr index index_of(Index const& i) {
  return {index::number, extent(i), 0, 1};
}
constexpr index index_of(range const& i) { return {index::span, i.from, i.to, i.step}; }
constexpr index index_of(every_t const&) { return {index::whole, 0, 0, 1}; }
constexpr index index_of(newaxis_t const&) { return {index::new_axis, 0, 0, 1}; }

/// What a list of indices cuts out of a shape: the row's attributes, the block, and the block without the axes of
/// single indices.
struct cut_out {
  int wrong = 0;  // an error number
  ops::slice_dim dim[max_rank]{};
  tensor_type block{}, shape{};
  constexpr void put(int axis, ops::slice_dim const& s) {
    block.e[axis] = s.size;
    dim[axis] = s;
  }
};
/// An end of a range of an axis of n elements, brought to [low, high].
constexpr extent end_of(extent at, extent n, extent left_out, extent low, extent high) {
  if (at == rest) return left_out;
  if (at < 0) at += n;
  return at < low ? low : at > high ? high : at;
}
constexpr cut_out cut(tensor_type const& x, index const* in, int n) {
  cut_out r;
  r.block = x;
  r.shape = {x.d, 0, {}};
  int axis = 0, axes = 0;
  for (int k = 0; k < n; ++k) {
    axes += in[k].kind != index::new_axis;
    if (in[k].kind == index::other || (in[k].kind == index::span && in[k].step == 0)) r.wrong = 41;
  }
  if (axes > x.rank || x.rank + n - axes > max_rank) r.wrong = 41;
  if (r.wrong) return r;
  for (int k = 0; k < n || axis < x.rank; ++k) {
    index i = k < n ? in[k] : index{index::whole, 0, 0, 1};
    if (i.kind == index::new_axis) {
      r.shape.e[r.shape.rank++] = 1;
      continue;
    }
    extent e = x.e[axis], size = e;
    bool whole = i.kind == index::whole || (i.kind == index::span && i.from == rest && i.to == rest && i.step == 1);
    if (whole) r.put(axis, {0, e, 1});
    else if (e < 0) r.wrong = 42;
    else if (i.kind == index::number) {
      extent at = i.from < 0 ? i.from + e : i.from;
      if (at < 0 || at >= e) r.wrong = 40;
      r.put(axis, {at, 1, 1});
    } else {
      bool back = i.step < 0;
      extent from = end_of(i.from, e, back ? e - 1 : 0, back ? -1 : 0, back ? e - 1 : e);
      extent to = end_of(i.to, e, back ? -1 : e, back ? -1 : 0, back ? e - 1 : e);
      size = back ? (from - to - i.step - 1) / -i.step : (to - from + i.step - 1) / i.step;
      if (size < 0) size = 0;
      r.put(axis, {size > 0 ? from : 0, size, i.step});
    }
    ++axis;
    if (i.kind != index::number) r.shape.e[r.shape.rank++] = size;
  }
  return r;
}
template <class A, auto... At> struct sliced {
  static constexpr index list[] = {index_of(At)..., {}};
  static constexpr int n = sizeof...(At);
  static constexpr cut_out found = cut(A::type, list, n);
  static constexpr bool ok = found.wrong == 0;
  static constexpr tensor_type value = ok ? found.shape : A::type;
  static constexpr auto require() {
    if constexpr (found.wrong == 40)
      message::fail<message::E040_index_out_of_range<typename text_of<A>::type, message::indices<At...>>>();
    if constexpr (found.wrong == 41)
      message::fail<message::E041_indices_do_not_fit<typename text_of<A>::type, message::indices<At...>>>();
    if constexpr (found.wrong == 42)
      message::fail<message::E042_part_of_a_named_axis<typename text_of<A>::type, message::indices<At...>>>();
  }
};

constexpr handle whole_number(dtype d, std::int64_t v) { return full(tensor_type{d, 0, {}}, v); }
/// The C++ number v as a scalar of x's element type, in x's graph.
template <class V> constexpr handle number(V v, handle const& x) {
  tensor_type t{x.type().d, 0, {}};
  std::int64_t bits = bits_beside(x.traced().g, t.d, v);
  if (!__builtin_is_constant_evaluated()) return full(t, bits);
  return handle::share({tracing::emit(code<ops::full_p>, nullptr, 0, &bits, 1, t, tracing::resolve(x.traced()).g)});
}

constexpr handle slice(handle const& x, ops::slice_dim const* block) {
  ops::dims_as_words w(block, x.type().rank);
  return call(code<ops::slice_p>, x, w.a, w.n);
}
constexpr handle slice(handle const& x, cut_out const& c) { return numpy::reshape(slice(x, c.dim), c.shape); }
/// n elements of one axis from a start on.
constexpr handle slice_axis(handle const& x, int axis, extent start, extent size, extent step = 1) {
  cut_out c;
  c.block = c.shape = x.type();
  for (int i = 0; i < c.block.rank; ++i) c.put(i, {0, c.block.e[i], 1});
  c.put(axis, {start, size, step});
  c.shape.e[axis] = size;
  return slice(x, c);
}
constexpr handle update(handle const& x, handle const& u, ops::update_dim const* block) {
  ops::dims_as_words w(block, x.type().rank);
  handle in[] = {x, u};
  return call(code<ops::update_p>, in, 2, w.a, w.n);
}
/// An axis backward; one of unknown size by index.
constexpr handle flip(handle const& x, int axis) {
  extent n = x.type().e[axis];
  if (n == 0) return x;
  if (n > 0) return slice_axis(x, axis, n - 1, n, -1);
  tensor_type t{dtype::i32, 1, {n}}, one{dtype::i32, 0, {}};
  handle last = binary(code<ops::sub_p>, call(code<ops::extent_size_p>, nullptr, 0, &n, 1, 0, one), full(one, 1));
  handle in[] = {x, binary(code<ops::sub_p>, last, ramp(t, 0))};
  std::int64_t attr[] = {axis, 0};
  return call(code<ops::gather_p>, in, 2, attr, 2);
}
/// What may be written to an array of A: numbers, and arrays whose elements do not lose values.
template <class A, class V> constexpr auto require_written() {
  if constexpr (any_array<V>) {
    if constexpr (!promotes_to(V::type.d, A::type.d))
      message::fail<
          message::E002_narrowing<message::from<typename V::value_type>, message::to<typename A::value_type>>>();
  } else if constexpr (is_real<V> && !is_floating(A::type.d))
    message::fail<message::E002_narrowing<message::from<V>, message::to<typename A::value_type>>>();
}
/// Does V broadcast to this shape?
template <class V> constexpr bool fits(tensor_type const& to) {
  if constexpr (!any_array<V>) return true;
  else {
    tensor_type t{};
    return broadcast_shapes(V::type, to, t) && t.same_shape(to);
  }
}

/// A place in an array: what x.at<...>() gives.
template <class A, auto... At> struct place {
  using S = sliced<A, At...>;
  A const& x;

  /// The elements there.
  constexpr auto get() const {
    S::require();
    if constexpr (!S::ok) return x;
    else return to_array<array_of<S>>(numpy::slice(to_handle(x), cut(to_handle(x).type(), S::list, S::n)));
  }
  /// x with v there, broadcast.
  template <operand V> constexpr A set(V const& v) const {
    S::require();
    require_written<A, V>();
    if constexpr (!fits<V>(S::value))
      message::fail<message::E046_update_does_not_fit<typename text_of<A>::type, message::indices<At...>, V>>();
    if constexpr (!S::ok || !fits<V>(S::value)) return x;
    else {
      transform::names_agree(x, v);
      handle h = to_handle(x);
      cut_out c = cut(h.type(), S::list, S::n);
      ops::update_dim at[max_rank]{};
      ops::slice_dim turn[max_rank]{};
      bool const turned = ops::forward(c.dim, c.block.rank, at, turn);
      handle u = numpy::reshape(numpy::broadcast_to(convert(written(v), A::type.d), c.shape), c.block);
      if (turned) u = numpy::slice(u, turn);
      return to_array<A>(update(h, u, at));
    }
  }
  template <operand V> constexpr A add(V const& v) const { return changed(code<ops::add_p>, v); }
  template <operand V> constexpr A multiply(V const& v) const { return changed(code<ops::mul_p>, v); }
  template <operand V> constexpr A min(V const& v) const { return changed(code<ops::min_p>, v); }
  template <operand V> constexpr A max(V const& v) const { return changed(code<ops::max_p>, v); }

 private:
  template <class V> constexpr handle written(V const& v) const {
    if constexpr (any_array<V>) return to_handle(v);
    else return number(v, to_handle(x));
  }
  template <class V> constexpr A changed(int op, V const& v) const {
    require_written<A, V>();
    if constexpr (!S::ok || !fits<V>(S::value)) return set(v);
    else {
      using R = array_of<S>;
      transform::names_agree(x, v);
      auto const now = get();
      return set(to_array<R>(binary(op, to_handle(now), convert(written(v), A::type.d))));
    }
  }
};

}  // namespace numpy

/// A part of x: for each axis a number, a range, or `every`; `newaxis` adds one of size 1. Axes left out are whole.
///
/// shape   x [a, n, b], slice<every, range{1, 3}> -> [a, 2, b]; a number drops its axis
/// diff    linear; transpose writes into zeros
/// cost    a view: nothing is moved
/// errors  E040 out of range, E041 the indices do not fit the axes, E042 a part of an axis with a name
/// source  NumPy basic indexing
// clang-format off
template <auto... At, any_array A> constexpr auto slice(A const& x) { return numpy::place<A, At...>{x}.get(); }  // E056: its indices are constants; with a number that a loop counts write dynamic_slice<1>(x, i), take(x, i), or a fold over an index_sequence
// clang-format on

template <E059_elements_are_bool_integers_of_8_to_64_bits_bfloat16_float16_float_double T, extent... E>
template <auto... At> constexpr auto array<T, E...>::at() const {
  return numpy::place<array, At...>{*this};
}

/// x with the given axes backward; all of them without one.
///
/// cost    a view; an axis with a name is read by index
/// errors  E005 axis out of range, E006 axis named twice
/// source  NumPy flip
template <int... Axis, any_array A> constexpr A flip(A const& x) {
  constexpr auto axes = numpy::axes_of<Axis...>(A::rank);
  numpy::require_axes<ops::slice_p, A, Axis...>();
  if constexpr (axes.wrong != 0) return x;
  else {
    numpy::handle h = numpy::to_handle(x);
    for (int i = 0; i < axes.n; ++i) h = numpy::flip(h, int(axes.a[i]));
    return numpy::to_array<A>(h);
  }
}

// What is not taken behind the array.
ETNA_REFUSE(slice, message::takes_nothing,
            "slice<range{1, 3}>(x), or dynamic_slice<2>(x, i) for a place known at run time",
            "indices are template arguments: slice<range{1, 3}>(x)");
ETNA_REFUSE(flip, message::takes_nothing, "flip<0>(x)", "axes are template arguments");

}  // namespace etna
