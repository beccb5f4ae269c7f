// SPDX-License-Identifier: BSD-3-Clause
// Cut the graph into kernels. A kernel has a space of elements; reductions split it into rows (the
// trailing axes are reduced, one row at a time) or columns (leading axes are reduced). Equations join
// the kernel of an operand of the same stage; every other edge raises the stage, so the kernels form
// no cycle by construction. One pass, near linear. Read next: plan.hpp.
#pragma once
#include "view.hpp"

namespace etna::rewrite {

enum class node_class { source, free, view, compute, opaque };
constexpr node_class class_of(graph const& g, node_info const& n) {
  if (n.op == code<ops::full_p> || n.op == code<ops::iota_p>) return node_class::free;
  switch (ops::row_of(n.op).form) {
    case ops::form::source: return node_class::source;
    case ops::form::broadcast: case ops::form::reshape: case ops::form::transpose: return node_class::view;
    case ops::form::contraction: case ops::form::scatter: return node_class::opaque;
    default: return node_class::compute;
  }
  (void)g;
}

/// The space of a kernel: extents without 1s, and how reductions split it.
struct space {
  tensor_type t{};
  int split = -1;      // rows: so many leading axes are kept; -1: nothing is reduced yet
  int to = -1;         // columns: axes [split, to) are reduced, those behind are kept
  constexpr bool is_columns() const { return to >= 0; }
  /// The shape of what a reduction leaves.
  constexpr tensor_type kept() const {
    tensor_type k{t.d, 0};
    for (int i = 0; i < t.rank; ++i)
      if (i < split || (to >= 0 && i >= to)) k.e[k.rank++] = t.e[i];
    return k;
  }
};
constexpr tensor_type squeezed(tensor_type const& t) {
  tensor_type s{t.d, 0};
  for (int i = 0; i < t.rank; ++i)
    if (t.e[i] != 1) s.e[s.rank++] = t.e[i];
  return s;
}
/// One kernel for both? Then `a` is its space.
constexpr bool merge(space& a, space b) {
  if (b.t.rank > a.t.rank) { space c = a; a = b; b = c; }
  if (a.t.same_shape(b.t)) {
    if (b.split < 0) return true;
    if (a.split < 0) { a = b; return true; }
    return a.split == b.split && a.to == b.to;
  }
  if (b.split >= 0) return false;  // b has no reduction: its equations become those of whole rows
  if (a.split < 0) {
    for (int i = 0; i < b.t.rank; ++i)
      if (a.t.e[i] != b.t.e[i]) return false;
    if (b.t.rank == 0) return false;
    a.split = b.t.rank;
    return true;
  }
  return a.kept().same_shape(b.t);
}

/// How an operand's value lies in the reader's shape.
enum class relation { same, row, other };
constexpr relation relate(view const& v, tensor_type const& read_as, tensor_type const& root) {
  if (same_squeezed(read_as, root) && is_contiguous(v, read_as)) return relation::same;
  tensor_type r = squeezed(root);
  int axis[max_rank]{};
  int n = squeeze(read_as, axis);
  if (r.rank == 0 || r.rank >= n) return relation::other;
  extent full[max_rank]{};
  row_major(r, full);
  for (int i = 0; i < n; ++i) {
    if (i < r.rank && (read_as.e[axis[i]] != r.e[i] || v.stride[axis[i]] != full[i])) return relation::other;
    if (i >= r.rank && v.stride[axis[i]] != 0) return relation::other;
  }
  return relation::row;
}

/// The parts of the cut, by node.
struct cut {
  int* stage;    // when the node's kernel runs
  int* parent;   // union-find over nodes: the kernel's first node
  space* spaces; // of kernels, by their first node

  constexpr int find(int i) const {
    while (parent[i] != i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  }
};

/// The space of one equation alone.
constexpr space own_space(graph const& g, node_info const& n) {
  ops::form f = ops::row_of(n.op).form;
  space s;
  if (f != ops::form::reduction && f != ops::form::arg_reduction) {
    s.t = squeezed(g.values[n.value].type);
    return s;
  }
  tensor_type const& x = g.values[g.edges[n.edge]].type;
  s.t = squeezed(x);
  int k = 0, first = -1, last = -1;
  for (int i = 0; i < x.rank; ++i) {
    bool gone = false;
    for (int a = 0; a < n.attrs; ++a) gone = gone || g.attrs[n.attr + a] == i;
    if (x.e[i] == 1) continue;
    if (gone && first < 0) first = k;
    if (gone) last = k;
    ++k;
  }
  s.split = first;
  if (last + 1 < s.t.rank) s.to = last + 1;
  return s;
}

constexpr void fuse(graph const& g, view const* views, cut& c) {
  for (int i = 0; i < g.n_nodes; ++i) {
    node_info const& n = g.nodes[i];
    node_class cls = class_of(g, n);
    c.parent[i] = i;
    c.stage[i] = 0;
    if (cls != node_class::compute && cls != node_class::opaque) continue;
    ops::form f = ops::row_of(n.op).form;
    bool reduces = f == ops::form::reduction || f == ops::form::arg_reduction;
    int s = 0;
    for (int k = 0; k < n.operands; ++k) {
      int r = g.values[views[g.edges[n.edge + k]].root].node;
      node_class rc = class_of(g, g.nodes[r]);
      if (rc == node_class::opaque || (rc == node_class::compute && cls == node_class::opaque)) {
        if (c.stage[r] + 1 > s) s = c.stage[r] + 1;
      } else if (rc == node_class::compute && c.stage[r] > s) s = c.stage[r];
    }
    space mine = own_space(g, n);
    if (cls == node_class::opaque) {
      c.stage[i] = s;
      c.spaces[i] = mine;
      continue;
    }
    // May all operands of this stage be in one kernel with n?
    bool ok = true;
    space merged = mine;
    for (int k = 0; k < n.operands && ok; ++k) {
      int q = g.edges[n.edge + k], root = views[q].root, r = g.values[root].node;
      if (class_of(g, g.nodes[r]) != node_class::compute || c.stage[r] != s) continue;
      tensor_type read_as = reduces ? g.values[q].type : f == ops::form::gather ? g.values[q].type : g.values[n.value].type;
      relation rel = relate(views[q], read_as, g.values[root].type);
      if (f == ops::form::gather && (k == 0 || !same_squeezed(read_as, g.values[n.value].type))) ok = false;
      else if (rel == relation::same) {
        // a reduction reads elements, not rows
        space const& theirs = c.spaces[c.find(r)];
        if (reduces && !squeezed(read_as).same_shape(theirs.t)) ok = false;
      } else if (rel == relation::row && !reduces) {
        space need = mine;
        need.split = squeezed(g.values[root].type).rank;
        ok = merge(merged, need);
      } else ok = false;
      ok = ok && merge(merged, c.spaces[c.find(r)]);
    }
    if (!ok) {
      c.stage[i] = s + 1;
      c.spaces[i] = mine;
      continue;
    }
    c.stage[i] = s;
    int home = i;
    for (int k = 0; k < n.operands; ++k) {
      int r = g.values[views[g.edges[n.edge + k]].root].node;
      if (class_of(g, g.nodes[r]) != node_class::compute || c.stage[r] != s) continue;
      int p = c.find(r);
      if (p == home) continue;
      if (p < home) { c.parent[home] = p; home = p; }
      else c.parent[p] = home;
    }
    c.spaces[home] = merged;
  }
}

}  // namespace etna::rewrite
