// SPDX-License-Identifier: BSD-3-Clause
// Values of a graph from one cut over a mesh to another: the collectives of reshard.hpp, as equations. Read next:
// partitioner.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "reshard_plan.hpp"
#include <etna/ops/across_ranks.hpp>
#include <etna/ops/table.hpp>

namespace etna::dist::detail {

/// The axes of a mesh whose sizes are known, by the number that stands for it.
struct mesh_in_graph {
  std::int64_t mesh = 0;
  int axes = 0;
  int size[living_mesh::most_axes]{};
  extent name[living_mesh::most_axes]{};

  template <any_mesh M> static constexpr mesh_in_graph of() {
    mesh_in_graph m{M::type, M::axes, {}, {}};
    for (int k = 0; k < M::axes; ++k) m.size[k] = M::of[k].size, m.name[k] = M::of[k].name;
    return m;
  }
  constexpr ops::mesh_axis axis(int k) const { return {k, mesh}; }
  /// Along an axis of one process nothing is cut.
  constexpr cut real(cut c) const {
    for (int k = 0; k < axes; ++k)
      if (size[k] == 1) c.of[k] = -1;
    return c;
  }
  /// The type of one part.
  constexpr tensor_type part(tensor_type t, cut const& c) const {
    for (int k = 0; k < axes; ++k)
      if (c.of[k] >= 0) t.e[c.of[k]] /= size[k];
    return t;
  }
  constexpr bool divides(int k, extent e) const { return size[k] > 0 && e >= 0 && e % size[k] == 0; }

  /// x, cut at `axis` by axis k of the mesh, whole there.
  constexpr tracing::var gathered(tracing::var x, int k, int at) const {
    tensor_type t = tracing::type_of(x);
    t.e[at] *= size[k];
    return ops::reshape(ops::move_axis(ops::over_ranks<ops::allgather_p>(x, axis(k), {size[k]}), 0, at), t);
  }
  /// This rank's part of x along an axis.
  constexpr tracing::var part(tracing::var x, int k, int at) const {
    return ops::gather(apart(x, k, at), place(*x.g, k), {at, 0});
  }
  /// x, cut at `from`, cut at `to` instead.
  constexpr tracing::var exchanged(tracing::var x, int k, int from, int to) const {
    tensor_type t = tracing::type_of(x);
    tracing::var const mine = ops::move_axis(apart(x, k, to), to, 0);
    tracing::var const theirs = ops::over_ranks<ops::alltoall_p>(mine, axis(k), {size[k]});
    t.e[to] /= size[k];
    t.e[from] *= size[k];
    return ops::reshape(ops::move_axis(theirs, 0, from), t);
  }
  /// Where this rank is along axis k.
  constexpr tracing::var place(tracing::graph& g, int k) const { return ops::mesh_place_p::of(g, axis(k), false); }

 private:
  /// [..., n, ...] as [..., ranks, n / ranks, ...].
  constexpr tracing::var apart(tracing::var x, int k, int at) const {
    tensor_type t = tracing::type_of(x).insert(at, size[k]);
    t.e[at + 1] /= size[k];
    return ops::reshape(x, t);
  }
};

}  // namespace etna::dist::detail

#include <etna/set_back.hpp>
