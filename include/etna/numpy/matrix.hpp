// SPDX-License-Identifier: BSD-3-Clause
// Matrices made and taken apart, as compositions: cross, vdot, kron, diag, tril, triu, meshgrid. Read next:
// small_linalg.hpp.
#pragma once
#include "einsum.hpp"
#include "join.hpp"

namespace etna {
namespace numpy {

/// Are the last axes of all of so many elements?
template <extent N, class... A> constexpr bool ends_in = ((A::rank > 0 && A::type.e[A::rank - 1] == N) && ...);

/// The last two axes of x where row + K >= column (Lower), or row + K <= column; 0 elsewhere.
template <bool Lower, int K, class A> constexpr auto triangle(A const& x) {
  require_axis<ops::select_p, -2, A>();
  if constexpr (A::rank < 2) return x;
  else {
    handle const h = to_handle(x);
    tensor_type const t = h.type().with(dtype::i32);
    handle const row = binary(ops::code<ops::add_p>, ramp(t, A::rank - 2), whole_number(dtype::i32, K)),
                 column = ramp(t, A::rank - 1),
                 inside = Lower ? binary(ops::code<ops::le_p>, column, row) : binary(ops::code<ops::le_p>, row, column);
    handle in[] = {inside, h, weak(0, h)};
    return to_array<A>(call(ops::code<ops::select_p>, in, 3));
  }
}

/// x with this many axes of one element behind its own.
template <int N, class A> constexpr auto with_ones_behind(A const& x) {
  if constexpr (N == 0) return x;
  else return with_ones_behind<N - 1>(expand_dims<-1>(x));
}
/// A grid of axes of these sizes, the first two of which change places or not.
template <bool Changes, extent... Size> struct grid {
  static constexpr int rank = sizeof...(Size);
  static constexpr int place(int k) { return Changes && rank > 1 && k < 2 ? 1 - k : k; }
  // A function: clang takes no element of a member array as a template argument in a pack.
  static constexpr extent size(int k) {
    extent const all[] = {Size...};
    return all[place(k)];
  }
  template <int... K, class... A> static constexpr auto of(std::integer_sequence<int, K...>, A const&... a) {
    return std::tuple{wide<K>(a, std::integer_sequence<int, K...>{})...};
  }
  template <int Nth, class A, int... K> static constexpr auto wide(A const& a, std::integer_sequence<int, K...>) {
    return broadcast_to<size(K)...>(with_ones_behind<rank - 1 - place(Nth)>(ravel(a)));
  }
};

}  // namespace numpy

/// The cross product of vectors of three, which are the last axis; other axes broadcast.
///
/// shape   x [a, 3], y [a, 3] -> [a, 3]
/// diff    bilinear
/// errors  E142 the last axis has not 3 elements, E001 other axes do not broadcast
/// source  NumPy cross
template <any_array A, any_array B> constexpr auto cross(A const& x, B const& y) {
  if constexpr (!numpy::ends_in<3, A, B>) {
    message::fail<message::E142_cross_of_three<typename numpy::text_of<A>::type, typename numpy::text_of<B>::type>>();
    return x;
  } else {
    auto const [x0, x1, x2] = split<3, -1>(x);
    auto const [y0, y1, y2] = split<3, -1>(y);
    return concatenate<-1>(x1 * y2 - x2 * y1, x2 * y0 - x0 * y2, x0 * y1 - x1 * y0);
  }
}

/// The sum of all products of elements in the same places.
///
/// shape   x, y of as many elements -> []
/// errors  E004 one has more elements
/// source  NumPy vdot
template <any_array A, any_array B> constexpr auto vdot(A const& x, B const& y) { return dot(ravel(x), ravel(y)); }

/// The lower triangle of the last two axes, with K diagonals above the main one; 0 above.
///
/// shape   x [a, n, m] -> [a, n, m]
/// diff    linear
/// errors  E005 x has no two axes
/// source  NumPy tril
template <int K = 0, any_array A> constexpr auto tril(A const& x) { return numpy::triangle<true, K>(x); }
/// The upper triangle, from K diagonals above the main one; 0 below.
///
/// shape   x [a, n, m] -> [a, n, m]
/// errors  E005 x has no two axes
/// source  NumPy triu
template <int K = 0, any_array A> constexpr auto triu(A const& x) { return numpy::triangle<false, K>(x); }

/// The matrix with this diagonal, or the diagonal of this matrix.
///
/// shape   x [n] -> [n, n]; [n, n] -> [n]
/// diff    linear; each is the other's transpose
/// errors  E005 x has no axis, E028 x is no square
/// source  NumPy diag (k = 0)
template <any_array A> constexpr auto diag(A const& x) {
  if constexpr (A::rank != 1) return diagonal(x);
  else return where(eye<bool, A::type.e[0]>(), x, zeros_like(x));
}

/// All products of elements of x and y: at [i, j], in a block for each element of x.
///
/// shape   x [a, b], y [c, d] -> [a c, b d]; [a], [c] -> [a c]
/// errors  E001 of other ranks than 1 and 2, or of two ranks
/// source  NumPy kron
template <any_array A, any_array B> constexpr auto kron(A const& x, B const& y) {
  if constexpr (A::rank == 1 && B::rank == 1) return ravel(outer(x, y));
  else if constexpr (A::rank == 2 && B::rank == 2)
    return reshape<ext::mul(A::type.e[0], B::type.e[0]), ext::mul(A::type.e[1], B::type.e[1])>(
        expand_dims<1>(expand_dims<2>(x)) * expand_dims<0>(expand_dims<1>(y)));
  else {
    message::fail<message::E001_shapes_do_not_broadcast<ops::mul_p, typename numpy::text_of<A>::type,
                                                        typename numpy::text_of<B>::type>>();
    return x;
  }
}

/// How meshgrid has the first two of its arrays: xy as NumPy has them, the first along columns; ij in order.
enum class indexing { xy, ij };
/// The coordinates of all points of a grid: auto [x, y] = meshgrid(a, b), or meshgrid<indexing::ij>(a, b).
///
/// shape   a [n], b [m], c [k] -> each [m, n, k], or [n, m, k] where the indexing is ij; others count as raveled
/// diff    linear
/// source  NumPy meshgrid
template <indexing Indexing = indexing::xy, any_array... A> constexpr auto meshgrid(A const&... a) {
  return numpy::grid<Indexing == indexing::xy, A::type.size()...>::of(std::make_integer_sequence<int, sizeof...(A)>{},
                                                                      a...);
}

}  // namespace etna
