// SPDX-License-Identifier: BSD-3-Clause
// Blocks at run-time positions: dynamic_slice and dynamic_update_slice, clamped as in JAX. Read next: pick.hpp.
#pragma once
#include "join.hpp"

namespace etna {
namespace numpy {

/// The size of an axis as a number of this type, also where a name stands for it.
constexpr handle size_of_axis(handle const& x, int axis, dtype d) {
  axes_list one{1, {axis}, 0};
  return counted(x.type(), one, d);
}
template <class S> concept start = std::is_integral_v<S> || (any_array<S> && std::remove_cvref_t<S>::rank == 0 &&
                                                             is_integer(std::remove_cvref_t<S>::type.d));
template <class S> constexpr handle start_handle(S const& s) {
  if constexpr (any_array<S>) return convert(to_handle(s), dtype::i64);
  else return whole_number(dtype::i64, std::int64_t(s));
}
/// Starts as one vector; a negative one counts from the end of its axis.
constexpr handle starts_of(handle const& x, handle const* s, int n) {
  handle at[max_rank];
  for (int k = 0; k < n; ++k) {
    handle end = binary(code<ops::add_p>, s[k], size_of_axis(x, k, dtype::i64));
    handle one[] = {binary(code<ops::lt_p>, s[k], whole_number(dtype::i64, 0)), end, s[k]};
    at[k] = call(code<ops::select_p>, one, 3);
  }
  return as_vector(at, n);
}
template <class A, extent... E> struct block_of {
  static constexpr tensor_type value{A::type.d, int(sizeof...(E)), {E...}};
  static constexpr bool ok = [] {
    if (int(sizeof...(E)) != A::rank) return false;
    for (int i = 0; i < A::rank; ++i)
      if (value.e[i] != A::type.e[i] && (value.e[i] < 0 || A::type.e[i] < 0 || value.e[i] > A::type.e[i])) return false;
    return true;
  }();
};
template <class A, int Axis, extent N> struct with_axis {
  static constexpr int axis = Axis < 0 ? Axis + A::rank : Axis;
  static constexpr tensor_type value = [] {
    tensor_type t = A::type;
    if (axis >= 0 && axis < A::rank) t.e[axis] = N;
    return t;
  }();
};

}  // namespace numpy

/// The block of these extents that begins at run-time positions, one integer an axis; clamped so that it lies inside.
///
/// shape   x [a, b], dynamic_slice<2, 3>(x, i, j) -> [2, 3]
/// diff    linear in x; transpose writes into zeros
/// errors  E047 starts, extents
/// source  JAX lax.dynamic_slice: negative starts count from the end
template <extent... E, any_array A, numpy::start... S> constexpr auto dynamic_slice(A const& x, S const&... starts) {
  using B = numpy::block_of<A, E...>;
  if constexpr (!B::ok || sizeof...(S) != sizeof...(E) || sizeof...(E) == 0 || !(numpy::start<S> && ...)) {
    message::fail<message::E047_dynamic_slice<typename numpy::text_of<A>::type, message::shape_text<E...>, S...>>();
    return x;
  } else {
    numpy::handle h = numpy::to_handle(x), s[] = {numpy::start_handle(starts)...};
    numpy::handle in[] = {h, numpy::starts_of(h, s, int(sizeof...(S)))};
    tensor_type block = numpy::concrete<array_of<B>>(x);
    return numpy::to_array<array_of<B>>(numpy::call(ops::code<ops::dynamic_slice_p>, in, 2, block.e, block.rank));
  }
}
/// x with the block that begins at run-time positions replaced by u; clamped so that it lies inside.
///
/// diff    linear in x and u
/// cost    in place where nobody else reads x
/// errors  E002 narrowing, E047 starts, extents
/// source  JAX lax.dynamic_update_slice: negative starts count from the end
template <any_array A, any_array U, numpy::start... S>
constexpr auto dynamic_update_slice(A const& x, U const& u, S const&... starts) {
  constexpr bool ok = [] {
    if (U::rank != A::rank || A::rank == 0 || int(sizeof...(S)) != A::rank) return false;
    for (int i = 0; i < A::rank && i < U::rank; ++i)
      if (U::type.e[i] != A::type.e[i] && (U::type.e[i] < 0 || A::type.e[i] < 0 || U::type.e[i] > A::type.e[i]))
        return false;
    return (numpy::start<S> && ...);
  }();
  numpy::require_written<A, U>();
  if constexpr (!ok) {
    message::fail<
        message::E047_dynamic_slice<typename numpy::text_of<A>::type, typename numpy::text_of<U>::type, S...>>();
    return x;
  } else {
    transform::names_agree(x, u);
    numpy::handle h = numpy::to_handle(x), s[] = {numpy::start_handle(starts)...};
    numpy::handle in[] = {h, numpy::convert(numpy::to_handle(u), A::type.d), numpy::starts_of(h, s, int(sizeof...(S)))};
    return numpy::to_array<A>(numpy::call(ops::code<ops::dynamic_update_p>, in, 3));
  }
}
/// N elements of one axis from a run-time position on.
///
/// errors  E005 axis out of range, E047
/// source  JAX lax.dynamic_slice_in_dim
template <extent N, int Axis = 0, any_array A, numpy::start S>
constexpr auto dynamic_slice_in_dim(A const& x, S const& start) {
  using B = numpy::with_axis<A, Axis, N>;
  numpy::require_axes<ops::dynamic_slice_p, A, Axis>();
  return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
    auto at = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      if constexpr (int(K) == B::axis) return start;
      else return 0;
    };
    return dynamic_slice<B::value.e[Nth]...>(x, at(std::integral_constant<std::size_t, Nth>{})...);
  }(std::make_index_sequence<std::size_t(A::rank)>{});
}
/// The slice of one axis at a run-time position, without that axis.
///
/// errors  E005 axis out of range, E047
/// source  JAX lax.dynamic_index_in_dim, keepdims=False
template <int Axis = 0, any_array A, numpy::start S> constexpr auto dynamic_index_in_dim(A const& x, S const& start) {
  return squeeze<Axis>(dynamic_slice_in_dim<1, Axis>(x, start));
}
/// x with u in place of the slices of one axis from a run-time position on.
///
/// errors  E005 axis out of range, E047
/// source  JAX lax.dynamic_update_slice_in_dim
template <int Axis = 0, any_array A, any_array U, numpy::start S>
constexpr A dynamic_update_slice_in_dim(A const& x, U const& u, S const& start) {
  using B = numpy::with_axis<A, Axis, 1>;
  numpy::require_axes<ops::dynamic_update_p, A, Axis>();
  return [&]<std::size_t... Nth>(std::index_sequence<Nth...>) {
    auto at = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
      if constexpr (int(K) == B::axis) return start;
      else return 0;
    };
    return dynamic_update_slice(x, u, at(std::integral_constant<std::size_t, Nth>{})...);
  }(std::make_index_sequence<std::size_t(A::rank)>{});
}

// Starts that are no integers.
#define ETNA_NOT_A_START(NAME, CALL, ...)                                                     \
  template <auto..., any_array A, __VA_ARGS__ class... S> requires(!(numpy::start<S> && ...)) \
  ETNA_REFUSAL(E047_dynamic_slice, "E047: a start is one integer for each axis: " CALL, NAME)
ETNA_NOT_A_START(dynamic_slice(A const&, S const&...), "dynamic_slice<2, 3>(x, i, j)");
ETNA_NOT_A_START(dynamic_update_slice(A const&, U const&, S const&...), "dynamic_update_slice(x, u, i, j)",
                 any_array U, );
ETNA_NOT_A_START(dynamic_slice_in_dim(A const&, S const&...), "dynamic_slice_in_dim<2, 1>(x, i)");
ETNA_NOT_A_START(dynamic_index_in_dim(A const&, S const&...), "dynamic_index_in_dim<1>(x, i)");
ETNA_NOT_A_START(dynamic_update_slice_in_dim(A const&, U const&, S const&...),
                 "dynamic_update_slice_in_dim<1>(x, u, i)", any_array U, );

}  // namespace etna
