// SPDX-License-Identifier: BSD-3-Clause
// Collectives over an axis that has a name in which examples, or ranks, give each other different things: ppermute,
// pshift, all_to_all, psum_scatter. Read next: root.hpp.
#pragma once
#include "named_axis.hpp"

namespace etna {
namespace control {

using pairs_of_places = std::array<int, 2>;

/// Examples of a vmap.
constexpr var permuted(var v, found_axis const& a, pairs_of_places const* pairs, int n) {
  auto* source = new std::int64_t[std::size_t(a.size)];
  for (extent k = 0; k < a.size; ++k) source[k] = a.size;
  for (int k = 0; k < n; ++k) source[pairs[k][1]] = pairs[k][0];
  var y =
      ops::collective::write(ops::code<ops::ppermute_p>, v, a.level, a.size, tracing::type_of(v), source, int(a.size));
  if (v.g->values[v.id].level < a.level && n < a.size) {
    // one value for all examples, and those that nobody sends to: zeros by the example's number
    for (extent k = 0; k < a.size; ++k) source[k] = source[k] < a.size;
    tensor_type list{dtype::i32, 1, {a.size}};
    var has = ops::gather(tracing::emit(ops::code<ops::literal_p>, nullptr, 0, source, int(a.size), list, v.g),
                          index_of(*v.g, a), {0, 0});
    y = ops::select(
        ops::broadcast(ops::eq(has, ops::full_like(has, 1)), tracing::type_of(v).with(dtype::boolean), nullptr), y,
        ops::full_like(y, 0));
  }
  delete[] source;
  return y;
}
/// Ranks along an axis of a mesh.
constexpr var sent(var v, found_axis const& a, pairs_of_places const* pairs, int n) {
  constexpr int head = ops::across_ranks::head;
  auto* words =
      new std::int64_t[std::size_t(head + 1 + 2 * n)]{a.of_mesh.number, a.of_mesh.mesh, 0, ops::sendrecv_p::by_pairs};
  for (int k = 0; k < n; ++k)
    for (int end = 0; end < 2; ++end) words[head + 1 + 2 * k + end] = pairs[k][std::size_t(end)];
  var const y = tracing::emit(ops::code<ops::sendrecv_p>, &v, 1, words, head + 1 + 2 * n);
  delete[] words;
  return y;
}
/// Does each name places that are there, and is each a receiver once, of ranks a sender once too?
constexpr bool are_partners(found_axis const& a, pairs_of_places const* pairs, int n) {
  auto const once = [&](int end, int place) {
    int times = 0;
    for (int k = 0; k < n; ++k) times += pairs[k][std::size_t(end)] == place;
    return times == 1;
  };
  for (int k = 0; k < n; ++k) {
    for (int place : pairs[k])
      if (place < 0 || (a.size > 0 && place >= a.size)) return false;
    if (!once(1, pairs[k][1]) || (a.is_of_mesh() && !once(0, pairs[k][0]))) return false;
  }
  return true;
}
/// The part for this one of [size, ...].
constexpr var own_part(var v, found_axis const& a) { return ops::gather(v, index_of(*v.g, a), {0, 0}); }

}  // namespace control

/// ppermute<"i"_n>(tree, {{from, to}...}): the value of each goes to another; zeros where none comes.
///
/// pairs   as std::array<int, 2> {from, to}; each takes from one at most, and ranks send to one at most
/// errors  E078 there is no axis with this name, E094 a pair names a place that is not there, or two the same receiver
///         (E111 at run time; E168 where the mesh's axis is open)
/// source  JAX lax.ppermute, MPI_Sendrecv
template <extent Name, class T, std::size_t N>
constexpr auto ppermute(T const& t, std::array<std::array<int, 2>, N> const& pairs) {
  return control::leaves_over_axis<Name>(t, [&](tracing::var v, control::found_axis const& a) {
    if (!control::are_partners(a, pairs.data(), int(N))) {
      if (!__builtin_is_constant_evaluated())
        message::raise<111>("ppermute among " + std::to_string(a.size) + ", each of which receives once");
      tracing::refuse<message::not_on_the_axis>(v.g);
      return v;
    }
    return a.is_of_mesh() ? control::sent(v, a, pairs.data(), int(N)) : control::permuted(v, a, pairs.data(), int(N));
  });
}
/// send_recv<"i"_n>(tree, from, to): what `from` has, at `to`; zeros at all others.
///
/// errors  as ppermute
/// source  MPI_Send, MPI_Recv
template <extent Name, class T> constexpr auto send_recv(T const& t, int from, int to) {
  return ppermute<Name>(t, std::array<std::array<int, 2>, 1>{{{from, to}}});
}
/// How the ends of an axis meet.
enum class ends { open, ring };
/// pshift<"i"_n, By>(tree): the value of each goes By places on, back where that is negative; zeros where none comes,
/// or from the other end where the ends meet.
///
///     array<float, 8> const left = pshift<"x"_n, 1>(edge);               // my left neighbour's
///     array<float, 8> const next = pshift<"x"_n, -1>(edge, ends::ring);  // the next one's, periodic
///
/// errors  E078 there is no axis with this name
/// source  MPI_Cart_shift
template <extent Name, int By, class T> constexpr auto pshift(T const& t, ends e = ends::open) {
  return control::leaves_over_axis<Name>(t, [&](tracing::var v, control::found_axis const& a) {
    if (a.is_of_mesh())
      return ops::over_ranks<ops::sendrecv_p>(v, a.of_mesh, {ops::sendrecv_p::by_shift, By, e == ends::ring});
    int const size = int(a.size);
    auto* pairs = new control::pairs_of_places[std::size_t(size + 1)]{};
    int n = 0;
    for (int k = 0; k < size; ++k) {
      int const to = e == ends::ring ? ((k + By) % size + size) % size : k + By;
      if (to >= 0 && to < size) pairs[n++] = {k, to};
    }
    tracing::var const y = control::permuted(v, a, pairs, n);
    delete[] pairs;
    return y;
  });
}
namespace control {
template <class> inline constexpr bool have_axes = false;
template <class... L> inline constexpr bool have_axes<std::tuple<L...>> =
    ((std::remove_cvref_t<decltype(transform::as_array(std::declval<L const&>()))>::rank > 0) && ...);
}  // namespace control
/// A tree whose leaves have an axis of parts in front, one for each.
template <class T> concept tree_of_parts = control::have_axes<decltype(tree::leaves(std::declval<T const&>()))>;
/// all_to_all<"i"_n, N>(tree): each gets from each the part that this one has for it.
///
/// shape   [N, ...] -> [N, ...]
/// diff    linear; its transpose is all_to_all
/// errors  E078 there is no axis with this name, E094 N is not its size (E111, E171 at run time)
/// source  JAX lax.all_to_all (split_axis = concat_axis = 0)
template <extent Name, extent N, tree_of_parts T> constexpr auto all_to_all(T const& t) {
  return control::leaves_over_axis<Name>(t, [](tracing::var v, control::found_axis const& a) {
    if (!control::has_size(v.g, a, N, "all_to_all")) return v;
    if (tracing::type_of(v).e[0] != N) {
      tracing::refuse<message::not_on_the_axis>(v.g);
      return v;
    }
    if (a.is_of_mesh()) return ops::over_ranks<ops::alltoall_p>(v, a.of_mesh, {N});
    tensor_type const all = tracing::type_of(v).insert(0, N);
    tracing::var const of_all = ops::collective::write(ops::code<ops::all_gather_p>, v, a.level, N, all);
    return control::own_part(ops::move_axis(of_all, 1, 0), a);
  });
}
/// psum_scatter<"i"_n>(tree): this one's part of the sum, a slice of the first axis, which has one for each.
///
/// shape   [N, ...] -> [...]
/// diff    linear; its transpose is all_gather
/// errors  E078 there is no axis with this name, E094 N is not its size (E111, E171 at run time)
/// source  JAX lax.psum_scatter
template <extent Name, tree_of_parts T> constexpr auto psum_scatter(T const& t) {
  return tree::map(
      [](auto const& leaf) {
        auto x = transform::as_array(leaf);
        using gone = transform::without_axis<decltype(x), 0>;
        using R = array_of<gone>;
        return control::over_axis<Name, R>(x, [](tracing::var v, control::found_axis const& a) {
          if (!control::has_size(v.g, a, gone::size, "psum_scatter")) return ops::full(v.g, R::type, 0);
          if (a.is_of_mesh()) return ops::over_ranks<ops::reduce_scatter_p>(v, a.of_mesh, {gone::size});
          return control::own_part(control::summed{}(v, a), a);
        });
      },
      t);
}

}  // namespace etna
