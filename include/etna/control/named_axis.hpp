// SPDX-License-Identifier: BSD-3-Clause
// Collectives over an axis that has a name: of an enclosing vmap, whose examples one process plays, or of the mesh of
// processes on which the program runs. Sums and their like, and where one is. Read next: exchange.hpp.
#pragma once
#include "buckets.hpp"

namespace etna {
namespace control {

/// An axis that a collective names: that of an enclosing vmap, or of the mesh on which the program runs.
struct found_axis {
  int level = 0;                  // of the vmap
  ops::mesh_axis of_mesh{-1, 0};  // or which of the mesh's
  extent size = 0;                // of a mesh's: 0 where it is told when the program runs
  constexpr bool there() const { return level > 0 || is_of_mesh(); }
  constexpr bool is_of_mesh() const { return of_mesh.number >= 0; }
};
/// The innermost vmap with this name that encloses the code that runs now, or the mesh's axis.
constexpr found_axis find_axis(graph const& g, extent name) {
  int level = g.depth;
  while (level > 0 && g.names[level] != name) --level;
  if (level > 0) return {level, {-1, 0}, g.batch[level]};
  for (int k = 0; k < g.mesh.n; ++k)
    if (g.mesh.name[k] == name) return {0, {k, g.mesh.mesh}, g.mesh.size[k]};
  return {};
}

// f(value, axis) -> value, whose type is R.
template <extent Name, class R, class A, class F> constexpr R over_axis(A const& x, F const& f) {
  graph* g = transform::graph_around(x);
  found_axis const axis = g ? find_axis(*g, Name) : found_axis{};
  if (axis.there()) return access::from<R>(f(value_in(*g, x), axis));
  tracing::refuse<message::no_such_axis>(g);
  return access::from<R>(ops::full(g, R::type, 0));
}
// The same on each leaf of a tree, whose type stays.
template <extent Name, class T, class F> constexpr auto leaves_over_axis(T const& t, F const& f) {
  return tree::map(
      [&](auto const& leaf) {
        auto x = transform::as_array(leaf);
        return over_axis<Name, decltype(x)>(x, f);
      },
      t);
}
template <class Row, dist::reduction R> struct reduced {
  constexpr var operator()(var v, found_axis const& a) const {
    if (a.is_of_mesh()) return ops::allreduce_p::of(v, a.of_mesh, R);
    return ops::collective::write(ops::code<Row>, v, a.level, a.size, tracing::type_of(v));
  }
  /// Of each leaf of a tree.
  template <extent Name, class T> static constexpr auto leaves(T const& t) {
    constexpr int n = tree::size<T>();
    graph* const g = transform::graph_around(t);
    found_axis const axis = g ? find_axis(*g, Name) : found_axis{};
    if (n < 2 || !axis.is_of_mesh()) return leaves_over_axis<Name>(t, reduced{});
    var_list values(n);
    push_leaves(*g, t, values);
    auto const one = [&](var v) { return reduced{}(v, axis); };
    buckets<decltype(one)>(values, one).run();
    int k = 0;
    return tree::map(
        [&](auto const& leaf) {
          return access::from<std::remove_cvref_t<decltype(transform::as_array(leaf))>>(values[k++]);
        },
        t);
  }
};
using summed = reduced<ops::psum_p, dist::reduction::sum>;
/// How many there are along the axis, as values of this type.
constexpr var size_like(var v, found_axis const& a) {
  if (a.size > 0) return ops::full_like(v, double(a.size));
  var const n = ops::convert(ops::mesh_place_p::of(*v.g, a.of_mesh, true), tracing::type_of(v).d);
  return ops::broadcast(n, tracing::type_of(v), nullptr);
}
/// The number of this example, or rank, of which there are so many at least.
constexpr var index_of(graph& g, found_axis const& a, int least = 1) {
  return a.is_of_mesh() ? ops::mesh_place_p::of(g, a.of_mesh, false, least) : ops::collective::index(g, a.level);
}
/// Are so many on the axis? A mesh's that is open is asked when the program runs.
constexpr bool has_size(graph* g, found_axis const& a, extent n, const char* what) {
  if (a.size == n || a.size == 0) return true;
  if (!__builtin_is_constant_evaluated())
    message::raise<111>(std::string(what) + " of " + std::to_string(n) + ", and the axis has " +
                        std::to_string(a.size));
  tracing::refuse<message::not_on_the_axis>(g);
  return false;
}

}  // namespace control

/// psum<"i"_n>(tree): the sum of each leaf over the mapped axis of the vmap with that name, or over all ranks along
/// that axis of the mesh; psum<"i"_n, "j"_n>: over both axes. So for pmean, pmax and pmin.
///
/// diff    linear; its transpose is psum
/// errors  E078 there is no axis with this name: no vmap, no shard_map around the call
/// source  JAX lax.psum
template <extent Name, extent... More, class T> constexpr auto psum(T const& t) {
  auto const s = control::summed::leaves<Name>(t);
  if constexpr (sizeof...(More) == 0) return s;
  else return psum<More...>(s);
}
/// pmean<"i"_n>(tree): the mean over the axis.
///
/// diff    linear
/// errors  E078 there is no axis with this name
/// source  JAX lax.pmean
template <extent Name, extent... More, class T> constexpr auto pmean(T const& t) {
  auto const s = control::leaves_over_axis<Name>(
      control::summed::leaves<Name>(t),
      [](tracing::var v, control::found_axis const& a) { return v / control::size_like(v, a); });
  if constexpr (sizeof...(More) == 0) return s;
  else return pmean<More...>(s);
}
/// pmax<"i"_n>(tree), pmin: the greatest, the least over the axis; those that share it share the derivative.
///
/// errors  E078 there is no axis with this name
/// source  JAX lax.pmax, pmin
template <extent Name, extent... More, class T> constexpr auto pmax(T const& t) {
  auto const s = control::reduced<ops::pmax_p, dist::reduction::max>::template leaves<Name>(t);
  if constexpr (sizeof...(More) == 0) return s;
  else return pmax<More...>(s);
}
template <extent Name, extent... More, class T> constexpr auto pmin(T const& t) {
  auto const s = control::reduced<ops::pmin_p, dist::reduction::min>::template leaves<Name>(t);
  if constexpr (sizeof...(More) == 0) return s;
  else return pmin<More...>(s);
}
/// all_gather<"i"_n, N>(tree): each leaf of all N examples, or ranks.
///
/// shape   [...] -> [N, ...]
/// diff    linear
/// errors  E078 there is no axis with this name, E094 N is not its size (E111, E171 at run time)
/// source  JAX lax.all_gather
template <extent Name, extent N, class T> constexpr auto all_gather(T const& t) {
  return tree::map(
      [](auto const& leaf) {
        auto x = transform::as_array(leaf);
        using R = array_of<transform::with_axis<decltype(x), 0, N>>;
        return control::over_axis<Name, R>(x, [](tracing::var v, control::found_axis const& a) {
          if (!control::has_size(v.g, a, N, "all_gather")) return v;
          if (a.is_of_mesh()) return ops::over_ranks<ops::allgather_p>(v, a.of_mesh, {N});
          return ops::collective::write(ops::code<ops::all_gather_p>, v, a.level, N, tracing::type_of(v).insert(0, N));
        });
      },
      t);
}
/// axis_index<"i"_n>(x): the number of the example, or of the rank; x is any traced value, which tells the program.
///
/// errors  E078 there is no axis with this name
/// source  JAX lax.axis_index
template <extent Name, class T> constexpr array<int> axis_index(T const& t) {
  return control::over_axis<Name, array<int>>(
      transform::as_array(t), [](tracing::var v, control::found_axis const& a) { return control::index_of(*v.g, a); });
}
/// axis_size<"i"_n>(x): how many there are.
///
/// errors  E078 there is no axis with this name
/// source  JAX lax.axis_size
template <extent Name, class T> constexpr array<int> axis_size(T const& t) {
  return control::over_axis<Name, array<int>>(transform::as_array(t), [](tracing::var v, control::found_axis const& a) {
    return control::size_like(ops::full(v.g, {dtype::i32, 0, {}}, 0), a);
  });
}

}  // namespace etna
