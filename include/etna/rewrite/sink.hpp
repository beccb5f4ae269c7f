// SPDX-License-Identifier: BSD-3-Clause
// After the cut: a mask that one later kernel reads, and that comes from a value which is memory until then, is computed
// there. So a network keeps no masks. Read next: accumulate.hpp.
#pragma once
#include <climits>

#include "fuse.hpp"

namespace etna::rewrite {

/// The one operand of n that is no constant, where there is one in a kernel and it has n's shape; else -1.
constexpr int only_operand(graph const& g, cut const& c, node_info const& n) {
  int found = -1;
  for (int k = 0; k < n.operands; ++k) {
    int q = g.edges[n.edge + k];
    node_class cls = c.cls[g.values[q].node];
    if (cls == node_class::free) continue;
    if (found >= 0 || cls != node_class::compute) return -1;
    found = q;
  }
  return found >= 0 && g.values[found].type.same_shape(g.values[n.value].type) ? found : -1;
}

constexpr void sink(graph const& g, view const* views, int const* outputs, int n_out, cut& c) {
  constexpr int is_mask = 1, is_source = 2, many = -1;
  trace::zeros<int> watched;  // by value: what it is
  trace::zeros<int> reader;   // mask -> the one kernel that reads it, by its first node + 1
  trace::zeros<int> last;     // what a mask comes from -> the stage of the last other kernel that reads it + 1
  int n = 0;                  // of the masks, those that may sink
  for (int k = 0; k < c.n_masks; ++k) {
    node_info const& m = g.nodes[c.masks[k]];
    int x = c.parent[c.masks[k]] == c.masks[k] || m.effect ? -1 : only_operand(g, c, m);  // the first node leads others
    if (x < 0) continue;
    c.masks[n++] = c.masks[k];
    watched.at[m.value] |= is_mask;
    watched.at[x] |= is_source;
  }
  if (n == 0) return;
  for (int k = 0; k < n_out; ++k) {
    reader.at[views[outputs[k]].root] = many;
    last.at[views[outputs[k]].root] = INT_MAX;
  }
  for (int i = 0; i < g.n_nodes; ++i) {
    node_info const& m = g.nodes[i];
    for (int k = 0; k < m.operands; ++k) {
      int q = g.edges[m.edge + k], what = watched.at[q];
      if (!what) continue;
      node_class cls = c.cls[i];
      if (cls == node_class::view) {
        watched.at[m.value] |= is_source;
        reader.at[q] = many;
      } else if (cls != node_class::free) {
        int mine = c.find(i), from = views[q].root;
        if (c.stage[mine] >= last.at[from] && c.find(g.values[from].node) != mine) last.at[from] = c.stage[mine] + 1;
        bool plain = c.form[i] == ops::form::pointwise && g.values[q].type.same_shape(g.values[m.value].type);
        if (!(what & is_mask)) continue;
        reader.at[q] = plain && (reader.at[q] == 0 || reader.at[q] == mine + 1) ? mine + 1 : many;
      }
    }
  }
  while (n-- > 0) {
    int i = c.masks[n], to = reader.at[g.nodes[i].value] - 1;
    if (to < 0 || c.find(to) == c.find(i)) continue;
    // its operand is read until then (as products do that run just before), so nothing lives longer
    if (last.at[only_operand(g, c, g.nodes[i])] < c.stage[c.find(to)]) continue;
    to = c.find(to);
    int first = to < i ? to : i;  // a kernel's first node has what is known of it
    --c.members[c.find(i)];
    c.members[first] = c.members[to] + 1;
    c.parent[to] = c.parent[i] = first;
    if (first == to) continue;
    c.spaces[i] = c.spaces[to];
    c.stage[i] = c.stage[to];
  }
}

}  // namespace etna::rewrite
