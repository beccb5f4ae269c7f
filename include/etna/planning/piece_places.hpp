// SPDX-License-Identifier: BSD-3-Clause
// Whose kernel writes a piece of an array where it belongs, so that the updates that would put the array together are
// no steps (../rewrite/pieces.hpp). Read next: schedule.hpp.
#pragma once
#include <etna/rewrite/pieces.hpp>

#include "beside.hpp"

namespace etna::planning {

/// Pass: arrays all of whose pieces are computed by fused kernels, and of which nobody else needs a piece.
constexpr void place_pieces(graph const& g, view const* views, int const* outputs, int n_out, cut& c) {
  rewrite::joined_pieces const joined(g, outputs, n_out);
  if (!joined.any()) return;
  auto operand = [&](int i, int k) { return g.edges[g.nodes[i].edge + k]; };
  auto node = [&](int id) { return g.values[id].node; };
  auto writer = [&](int i) { return joined.writer_of(operand(i, 1)); };
  auto may_write = [&](int i) {
    int const id = writer(i);
    return id >= 0 && views[operand(i, 1)].root == id && c.cls[node(id)] == node_class::compute &&
           c.moves_of[c.find(node(id))] == 0;
  };
  for (int i = 0; i < g.n_nodes; ++i) {
    if (joined.last(i) != i) continue;
    bool all = true;
    int first = i;
    for (int j = i;; j = node(operand(j, 0))) {
      all = all && may_write(j);
      first = j;
      if (joined.last(node(operand(j, 0))) != i) break;
    }
    int const under = operand(first, 0);
    if (!all || !joined.is_used_once(under) || g.nodes[node(under)].op != code<ops::copy_p>) continue;
    for (int j = i;; j = node(operand(j, 0))) {
      c.whole[j] = i + 1;
      c.place[node(writer(j))] = j + 1;
      if (j == first) break;
    }
    c.cls[node(under)] = node_class::free;  // nothing of it is left
    for (int j = i; j != first; j = node(operand(j, 0))) join_beside(c, node(writer(j)), node(writer(i)));
    join_beside(c, node(writer(first)), node(writer(i)));
  }
}

}  // namespace etna::planning
