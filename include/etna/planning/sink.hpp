// SPDX-License-Identifier: BSD-3-Clause
// After the cut: what one later kernel reads, and comes from a value which is memory until then, is computed there. So
// a network keeps no masks, and neighbours are read where they lie. Read next: row_tails.hpp.
#pragma once
#include <climits>

#include "fuse.hpp"

namespace etna::planning {

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

/// Node i is computed in kernel `to`, a later one.
constexpr void move_node(cut& c, int i, int to) {
  to = c.find(to);
  int first = to < i ? to : i;  // a kernel's first node has what is known of it
  --c.members[c.find(i)];
  c.members[first] = c.members[to] + 1;
  c.parent[to] = c.parent[i] = first;
  if (first == to) return;
  c.spaces[i] = c.spaces[to];
  c.stage[i] = c.stage[to];
  c.moves_of[i] = c.moves_of[to];
}

/// Patches of what their own kernel computes, where another one reads them.
constexpr void sink_patches(graph const& g, view const* views, int const* outputs, int n_out, cut& c) {
  if (c.n_moved == 0) return;
  constexpr int many = -1;
  tracing::zeros<bool> watched;  // by value
  tracing::zeros<int> reader;    // by value: the one kernel that reads it, by its first node + 1
  for (int k = 0; k < c.n_moved; ++k) watched.at[g.nodes[c.moved[k]].value] = true;
  for (int k = 0; k < n_out; ++k) reader.at[views[outputs[k]].root] = many;
  for (int i = 0; i < g.n_nodes; ++i) {
    node_info const& m = g.nodes[i];
    for (int k = 0; k < m.operands; ++k) {
      int q = g.edges[m.edge + k], root = views[q].root;
      if (!watched.at[root] || c.cls[i] == node_class::view || c.cls[i] == node_class::free) continue;
      int mine = c.find(i);
      bool const outside = c.form[i] == ops::form::pointwise || (c.form[i] == ops::form::patch && k == 0);
      bool const plain = outside && q == root && g.values[q].type.same_shape(g.values[m.value].type);
      reader.at[root] = plain && (reader.at[root] == 0 || reader.at[root] == mine + 1) ? mine + 1 : many;
    }
  }
  for (int k = c.n_moved; k-- > 0;) {
    int i = c.moved[k], to = reader.at[g.nodes[i].value] - 1, home = c.find(i),
        x = g.values[views[g.edges[g.nodes[i].edge]].root].node;
    if (to < 0 || c.find(to) == home || (c.cls[x] != node_class::free && c.find(x) != c.find(to))) continue;
    --c.moves_of[home];
    move_node(c, i, to);
  }
}

/// May element i of rows be computed where its columns are summed: of what is memory and of a value of its row, which
/// is less to keep than all elements?
constexpr bool sinks_to_columns(graph const& g, view const* views, cut& c, int i, int reader) {
  node_info const& n = g.nodes[i];
  int const home = c.find(i), to = c.find(reader);
  space const &mine = c.spaces[home], &theirs = c.spaces[to];
  if (home == to || home == i || !c.reduces[reader] || !theirs.is_columns() || c.moves_of[home] || c.moves_of[to] ||
      mine.split <= 0 || mine.is_columns() || c.members[to] >= tuning::most_members || !theirs.t.same_shape(mine.t) ||
      !squeezed(g.values[n.value].type).same_shape(mine.t))
    return false;
  int whole = 0;
  for (int k = 0; k < n.operands; ++k) {
    int const root = views[g.edges[n.edge + k]].root, from = g.values[root].node;
    if (c.cls[from] == node_class::free) continue;
    bool const is_row = squeezed(g.values[root].type).same_shape(mine.kept());
    if (c.cls[from] == node_class::compute && c.find(from) == home && !is_row) return false;
    whole += !is_row;
  }
  return whole <= 2;  // in place of a value that is written and read
}
constexpr void sink_to_columns(graph const& g, view const* views, int const* outputs, int n_out, cut& c) {
  constexpr int many = -1;
  tracing::zeros<int> reader;  // by value: the one equation that reads it + 1
  for (int i = 0; i < g.n_nodes; ++i) {
    if (c.cls[i] == node_class::free) continue;
    for (int k = 0; k < g.nodes[i].operands; ++k) {
      int const q = g.edges[g.nodes[i].edge + k], root = views[q].root;
      reader.at[root] = reader.at[root] == 0 && root == q ? i + 1 : many;
    }
  }
  for (int k = 0; k < n_out; ++k) reader.at[views[outputs[k]].root] = many;
  for (int i = g.n_nodes; i-- > 0;) {
    node_info const& n = g.nodes[i];
    if (c.cls[i] != node_class::compute || c.form[i] != ops::form::pointwise || n.effect) continue;
    if (int const by = reader.at[n.value] - 1; by >= 0 && sinks_to_columns(g, views, c, i, by)) move_node(c, i, by);
  }
}

constexpr void sink(graph const& g, view const* views, int const* outputs, int n_out, cut& c) {
  sink_patches(g, views, outputs, n_out, c);
  sink_to_columns(g, views, outputs, n_out, c);
  constexpr int is_mask = 1, is_source = 2, many = -1;
  tracing::zeros<int> watched;  // by value: what it is
  tracing::zeros<int> reader;   // mask -> the one kernel that reads it, by its first node + 1
  tracing::zeros<int> last;     // what a mask comes from -> the stage of the last other kernel that reads it + 1
  int n = 0;                    // of the masks, those that may sink
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
    move_node(c, i, to);
  }
}

}  // namespace etna::planning
