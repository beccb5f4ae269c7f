// SPDX-License-Identifier: BSD-3-Clause
// Kernels that run one beside the other: what both read is read once where they are one. Read next: piece_places.hpp.
#pragma once
#include "fuse.hpp"

namespace etna::planning {

/// Kernels of one stage need nothing of each other: two of them are one where their loops are the same. (A sum that a
/// product makes is no kernel: accumulate.hpp.)
constexpr void join_beside(cut& c, int i, int j) {
  i = c.find(i), j = c.find(j);
  space const &a = c.spaces[i], &b = c.spaces[j];
  if (i == j || c.cls[i] != node_class::compute || c.cls[j] != node_class::compute || c.stage[i] != c.stage[j] ||
      a.split >= 0 || b.split >= 0 || !a.t.same_shape(b.t) || c.gathers[i] || c.gathers[j] || c.moves_of[i] ||
      c.moves_of[j] || c.members[i] + c.members[j] > tuning::most_elementwise)
    return;
  int const low = i < j ? i : j, high = i < j ? j : i;
  c.parent[high] = low;
  c.members[low] += c.members[high];
}

/// Pass: kernels of one stage that read the same large array from memory.
constexpr void join_readers(graph const& g, view const* views, int const*, int, cut& c) {
  tracing::zeros<int> reader;  // by value: the latest kernel that reads it + 1
  for (int i = 0; i < g.n_nodes; ++i) {
    node_info const& n = g.nodes[i];
    if (c.cls[i] != node_class::compute || c.form[i] != ops::form::pointwise || n.effect) continue;
    for (int k = 0; k < n.operands; ++k) {
      int const root = views[g.edges[n.edge + k]].root, from = g.values[root].node, home = c.find(i);
      extent const size = g.values[root].type.size(), all = c.spaces[home].t.size();
      if (c.cls[from] == node_class::free || (c.cls[from] == node_class::compute && c.find(from) == home)) continue;
      if (size < 0 || all < 0 || size < all) continue;
      if (int const before = reader.at[root] - 1; before >= 0) join_beside(c, before, home);
      reader.at[root] = c.find(i) + 1;
    }
  }
}

}  // namespace etna::planning
