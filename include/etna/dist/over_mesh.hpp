// SPDX-License-Identifier: BSD-3-Clause
// A function that every process of a mesh calls on its own arrays, traced: collectives in it find the axes of the mesh,
// and what it claims to be the same on all ranks is checked while compiling. Read next: pmap.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <tuple>
#include <utility>

#include <etna/control/root.hpp>
#include <etna/exec/jit.hpp>
#include <etna/group/mesh.hpp>
#include <etna/message/failure.hpp>
#include <etna/ops/rank_marks.hpp>

namespace etna::dist::detail {

template <any_mesh M> constexpr tracing::mesh_names names_of() {
  tracing::mesh_names m{M::axes, M::type, {}, {}};
  for (int k = 0; k < M::axes; ++k) {
    m.name[k] = M::of[k].name;
    m.size[k] = M::of[k].size;
  }
  return m;
}

/// Sets the marks of a tree's leaves.
struct mark_leaves {
  tracing::graph const& g;
  int* marks;
  int along;
  template <class A> constexpr void operator()(A const& x) const {
    tracing::var const v = tracing::resolve(etna::detail::access::traced(transform::as_array(x)));
    if (!v.g) return;
    for (int id = v.id; id >= 0; id = g.values[id].level > 0 ? g.values[id].shadow : -1) marks[id] = along;
  }
};
/// Do leaves differ along other axes than these?
struct look_at_leaves {
  int const* marks;
  int along;
  int found = -1;  // the first that does
  template <class A> constexpr void operator()(A const& x) {
    tracing::var const v = tracing::resolve(etna::detail::access::traced(transform::as_array(x)));
    if (!v.g) return;
    int id = v.id;  // what it is of all examples of vmaps around
    while (v.g->values[id].level > 0) id = v.g->values[id].shadow;
    if (found < 0 && (marks[id] & ~along)) found = id;
  }
};
/// Walks over what a function wrote from node `first` on: of examples of a vmap, over what is computed of all of them.
/// The scope of the fault, where there is one.
constexpr int walk_marks(tracing::graph& g, int first, int* marks, ops::rank_marks& m) {
  int scope = 0;
  for (int i = first; i < g.n_nodes; ++i) {
    tracing::node_info const n = g.nodes[i];
    if (n.op == tracing::input_op || (n.results > 0 && g.values[n.value].level > 0)) continue;
    tracing::scratch_frame in(g, n.operands, 0), out(g, n.results, 0);
    for (int k = 0; k < n.operands; ++k) in[k] = marks[g.edges[n.edge + k]];
    m.equation(g, n.op, n.attr, in.data(), n.operands, out.data(), n.results);
    for (int k = 0; k < n.results; ++k) marks[n.value + k] = out[k];
    if (m.fault && scope == 0) scope = n.scope;
  }
  return scope;
}

/// f, as every process of the mesh calls it. Specs says what arguments and results are (shard_map.hpp):
/// local<k>(argument) gives f's, whole(result) the caller's; along<k>() the axes along which an argument differs from
/// rank to rank, as bits; differing(marks, result) the first value that does along others than it says, or -1;
/// enter<k>(argument) and leave(result) are the same for derivatives from outside.
template <class M, class Specs, class F> struct over_mesh {
  [[no_unique_address]] F f;

  template <class... A> constexpr auto operator()(A const&... a) const {
    return enter(std::index_sequence_for<A...>{}, a...);
  }

 private:
  template <std::size_t... Nth, class... A> constexpr auto enter(std::index_sequence<Nth...> all, A const&... a) const {
    return run(all, Specs::template local<int(Nth), int(sizeof...(A))>(a)...);
  }
  template <std::size_t... Nth, class... L> constexpr auto run(std::index_sequence<Nth...>, L const&... a) const {
    tracing::graph* g = transform::graph_around(a...);
    if (!g) return Specs::whole(f(a...));
    tracing::mesh_names const before = transform::current(g).mesh;
    transform::current(g).mesh = names_of<M>();
    int const first = transform::current(g).n_nodes;
    auto const y = f(Specs::template enter<int(Nth)>(a)...);
    tracing::graph& now = transform::current(g);
    now.mesh = before;
    if (__builtin_is_constant_evaluated() && !now.error) {
      tracing::scratch_frame marks(now, now.n_values, 0);
      (tree::for_each(mark_leaves{now, marks.data(), Specs::template along<int(Nth)>()}, a), ...);
      ops::rank_marks m;
      int scope = walk_marks(now, first, marks.data(), m);
      if (m.fault) tracing::refuse<message::only_some_ranks>(&now);
      else if (int const id = Specs::differing(marks.data(), y); id >= 0) {
        tracing::refuse<message::result_differs>(&now);
        scope = now.nodes[now.values[id].node].scope;
      }
      if (now.error) now.error_scope = scope;
    }
    return Specs::whole(Specs::leave(y));
  }
};

/// Arguments and results are this process's own.
struct own_arrays {
  template <int, int, class T> static constexpr T const& local(T const& x) { return x; }
  template <class T> static constexpr T whole(T const& y) { return y; }
  template <int, class T> static constexpr T const& enter(T const& x) { return x; }
  template <class T> static constexpr T const& leave(T const& y) { return y; }
  template <int> static constexpr int along() { return ~0; }
  template <class T> static constexpr int differing(int const*, T const&) { return -1; }
};

}  // namespace etna::dist::detail

#include <etna/set_back.hpp>
