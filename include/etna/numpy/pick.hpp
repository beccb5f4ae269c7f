// SPDX-License-Identifier: BSD-3-Clause
// By run-time index: take with a mode for what lies out of range, and x.at(i) to read, set or add. Read next:
// sorting.hpp.
#pragma once
#include "position.hpp"
#include "take.hpp"

namespace etna {

/// What an index out of range reads.
namespace mode {
struct clip_t {};
struct wrap_t {};
template <numpy::scalar_operand V> struct fill {
  V value;
};
template <class V> fill(V) -> fill<V>;
/// The first or the last element; negative indices are the first.
inline constexpr clip_t clip{};
/// The index modulo the size.
inline constexpr wrap_t wrap{};
}  // namespace mode

struct picked_t {};
/// The axis that an index picks from: x.at<every, picked>(i).
inline constexpr picked_t picked{};

namespace numpy {

template <class M> struct is_fill : std::false_type {};
template <class V> struct is_fill<mode::fill<V>> : std::true_type {};
template <class M> concept mode_of_index =
    std::is_same_v<M, mode::clip_t> || std::is_same_v<M, mode::wrap_t> || is_fill<M>::value;

template <class T> inline constexpr int kind_of_pick = std::is_same_v<T, every_t>    ? 0
                                                       : std::is_same_v<T, picked_t> ? 1
                                                                                     : 2;
/// The axis that is picked from, the first where none is given; -1: the indices do not fit.
template <class A, auto... At> constexpr int picked_axis() {
  int kinds[] = {kind_of_pick<std::remove_cvref_t<decltype(At)>>..., 1}, at = -1;
  for (int i = 0; i < int(sizeof...(At)) + (sizeof...(At) == 0); ++i) {
    if (kinds[i] == 2 || (kinds[i] == 1 && at >= 0)) return -1;
    if (kinds[i] == 1) at = i;
  }
  return at < A::rank ? at : -1;
}

/// Places by index along an axis; of places named twice, `set` writes the last, `add` adds all. Out of range: nothing.
template <class A, class Index, int Axis> struct picked_place {
  using T = taken<A, Index, Axis>;
  A const& x;
  Index const& index;

  constexpr auto get() const { return take<Axis>(x, index); }
  template <operand V> constexpr A add(V const& v) const {
    transform::names_agree(x, index, v);
    handle in[] = {to_handle(x), to_handle(index), update_of(v)};
    return to_array<A>(call(code<ops::scatter_add_p>, in, 3, T::attr, 2));
  }
  template <operand V> constexpr A set(V const& v) const {
    transform::names_agree(x, index, v);
    handle h = to_handle(x), i = to_handle(index), u = update_of(v);
    tensor_type t = h.type(), flat = t;
    flat.e[Axis] = i.type().size();
    std::int64_t last[] = {0, t.e[Axis]};
    handle from = call(code<ops::last_at_p>, i, last, 2), in[] = {numpy::reshape(u, flat), from};
    handle read = call(code<ops::gather_p>, in, 2, T::attr, 2);
    ops::broadcast_words spread(t);
    spread.put(Axis);
    handle written = binary(code<ops::le_p>, whole_number(dtype::i32, 0), from);
    handle choose[] = {call(code<ops::broadcast_p>, written, spread.a, spread.n), read, h};
    return to_array<A>(call(code<ops::select_p>, choose, 3));
  }

 private:
  template <class V> constexpr handle update_of(V const& v) const {
    require_written<A, V>();
    if constexpr (!fits<V>(T::value))
      message::fail<message::E046_update_does_not_fit<typename text_of<A>::type, Index, V>>();
    tensor_type in[] = {to_handle(x).type(), to_handle(index).type()}, to{};
    ops::gather_p::shape(in, 2, T::attr, 2, &to);
    if constexpr (!fits<V>(T::value)) return full(to, 0);
    else if constexpr (any_array<V>) return broadcast_to(convert(to_handle(v), A::type.d), to);
    else return broadcast_to(number(v, to_handle(x)), to);
  }
};

}  // namespace numpy

/// Slices of x along an axis, at the indices; the mode says what an index out of range reads.
///
/// errors  E005 axis out of range, E033 the index is not of integers
/// source  NumPy take: mode::clip, mode::wrap; JAX: mode::fill{v}
template <int Axis = 0, any_array A, any_array Index, numpy::mode_of_index M>
constexpr auto take(A const& x, Index const& index, M m) {
  using T = numpy::taken<A, Index, Axis>;
  numpy::require_index<ops::gather_p, Index>();
  if constexpr (!T::ok || !is_integer(Index::type.d)) return take<Axis>(x, index);
  else if constexpr (Index::type.d != dtype::i32 && Index::type.d != dtype::i64)
    return take<Axis>(x, astype<std::int64_t>(index), m);
  else {
    numpy::handle n = numpy::size_of_axis(numpy::to_handle(x), T::axis, Index::type.d), i = numpy::to_handle(index);
    auto as_index = [](numpy::handle const& h) { return numpy::to_array<Index>(h); };
    auto zero = numpy::whole_number(Index::type.d, 0), one = numpy::whole_number(Index::type.d, 1);
    auto op = [](int code, numpy::handle const& a, numpy::handle const& b) { return numpy::binary(code, a, b); };
    if constexpr (numpy::is_fill<M>::value) {
      numpy::require_written<A, decltype(m.value)>();
      auto low = op(ops::code<ops::lt_p>, op(ops::code<ops::add_p>, i, n), zero), high = op(ops::code<ops::le_p>, n, i);
      auto read = take<Axis>(x, index);
      tensor_type to = numpy::to_handle(read).type();
      ops::broadcast_words spread(to);
      for (int k = 0; k < Index::rank; ++k) spread.put(T::axis + k);
      numpy::handle out = op(ops::code<ops::logical_or_p>, low, high);
      numpy::handle choose[] = {numpy::call(ops::code<ops::broadcast_p>, out, spread.a, spread.n),
                                numpy::everywhere(to, m.value, i), numpy::to_handle(read)};
      return numpy::to_array<decltype(read)>(numpy::call(ops::code<ops::select_p>, choose, 3));
    } else if constexpr (std::is_same_v<M, mode::clip_t>)
      return take<Axis>(x, as_index(op(ops::code<ops::max_p>,
                                       op(ops::code<ops::min_p>, i, op(ops::code<ops::sub_p>, n, one)), zero)));
    else {
      // i - floor(i / n) * n: the quotient is exact in f64 up to 2^53
      using wide = array_of<numpy::as_dtype<Index, dtype::f64>>;
      auto q = numpy::to_array<wide>(
          op(ops::code<ops::div_p>, numpy::convert(i, dtype::f64), numpy::convert(n, dtype::f64)));
      auto down = astype<std::int64_t>(q);
      // Named: small arrays hold their numbers
      auto whole = down - astype<std::int64_t>(less(q, astype<double>(down)));
      auto floor = numpy::to_handle(whole);
      return take<Axis>(x, as_index(op(ops::code<ops::sub_p>, i,
                                       op(ops::code<ops::mul_p>, numpy::convert(floor, Index::type.d), n))));
    }
  }
}

template <E059_elements_are_bool_integers_of_8_to_64_bits_bfloat16_float16_float_double T, extent... E>
template <auto... At, class Index> constexpr auto array<T, E...>::at(Index const& index) const {
  constexpr int axis = numpy::picked_axis<array, At...>();
  if constexpr (!any_array<Index>) {
    message::fail<message::E033_index_not_integer<Index>>();
    return numpy::place<array>{*this};
  } else if constexpr (axis < 0) {
    message::fail<message::E041_indices_do_not_fit<typename numpy::text_of<array>::type, message::indices<At...>>>();
    return numpy::place<array>{*this};
  } else {
    numpy::require_index<ops::gather_p, Index>();
    return numpy::picked_place<array, Index, axis>{*this, index};
  }
}

}  // namespace etna
