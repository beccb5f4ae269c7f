// SPDX-License-Identifier: BSD-3-Clause
// Cut the graph into kernels. A kernel has a space of elements; reductions split it into rows (the
// trailing axes are reduced, one row at a time) or columns (leading axes are reduced). Equations join
// the kernel of an operand of the same stage; every other edge raises the stage, so the kernels form
// no cycle by construction. One pass, near linear. Read next: plan.hpp.
#pragma once
#include "view.hpp"

namespace etna::rewrite {

enum class node_class { source, free, view, compute, opaque };
constexpr node_class class_of(graph const&, node_info const& n) {
  if (n.op == code<ops::full_p> || n.op == code<ops::iota_p>) return node_class::free;
  switch (ops::row_of(n.op).form) {
    case ops::form::source: return node_class::source;
    case ops::form::broadcast: case ops::form::reshape: case ops::form::transpose: return node_class::view;
    case ops::form::contraction: case ops::form::scatter: return node_class::opaque;
    default: return node_class::compute;
  }
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
  int* stage;    // when the kernel runs, by its first node
  int* waits;    // by first node: 1 while a kernel reads arguments only, and so may run as late as needed
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

/// Can operand k of n be a value of the kernel whose space is `theirs`? May refine the space `with`.
constexpr bool relates(graph const& g, node_info const& n, view const& v, int k, ops::form f, bool reduces,
                       space const& theirs, space& with) {
  int q = g.edges[n.edge + k];
  bool shaped = reduces || f == ops::form::gather;  // operands of other shapes than the result
  tensor_type const& read_as = g.values[shaped ? q : n.value].type;
  tensor_type const& root = g.values[v.root].type;
  if (f == ops::form::gather && (k == 0 || !same_squeezed(read_as, g.values[n.value].type))) return false;
  switch (relate(v, read_as, root)) {
    case relation::same: return !reduces || squeezed(read_as).same_shape(theirs.t);  // it reads elements, not rows
    case relation::row: {
      space need = own_space(g, n);
      need.split = squeezed(root).rank;
      return !reduces && merge(with, need);
    }
    default: return false;
  }
}

constexpr void fuse(graph const& g, view const* views, cut& c) {
  for (int i = 0; i < g.n_nodes; ++i) {
    node_info const& n = g.nodes[i];
    node_class cls = class_of(g, n);
    c.parent[i] = i;
    c.stage[i] = c.waits[i] = 0;
    if (cls != node_class::compute && cls != node_class::opaque) continue;
    ops::form f = ops::row_of(n.op).form;
    bool reduces = f == ops::form::reduction || f == ops::form::arg_reduction;
    bool pure = cls == node_class::compute && !reduces;
    space merged = own_space(g, n);
    int s = 0;
    for (int k = 0; k < n.operands; ++k) {
      int r = g.values[views[g.edges[n.edge + k]].root].node;
      node_class rc = class_of(g, g.nodes[r]);
      if (rc == node_class::source || rc == node_class::free) continue;
      int p = c.find(r);
      if (c.waits[p] && cls == node_class::compute) continue;
      c.waits[p] = 0;
      pure = false;
      int least = c.stage[p] + (rc == node_class::opaque || cls == node_class::opaque);
      if (least > s) s = least;
    }
    c.spaces[i] = merged;
    c.stage[i] = s;
    if (cls == node_class::opaque) continue;
    // May all operands of this stage, and those that wait, be in one kernel with n?
    bool ok = true;
    for (int k = 0; k < n.operands; ++k) {
      int q = g.edges[n.edge + k], root = views[q].root, r = g.values[root].node;
      if (class_of(g, g.nodes[r]) != node_class::compute) continue;
      int p = c.find(r);
      if (!c.waits[p] && c.stage[p] != s) continue;
      space with = merged;
      bool joins = relates(g, n, views[q], k, f, reduces, c.spaces[p], with) && merge(with, c.spaces[p]);
      if (joins) merged = with;
      else if (c.waits[p]) {
        c.waits[p] = 0;  // it runs first of all, and is read from memory
        pure = false;
        ok = ok && s > 0;
      } else ok = false;
    }
    if (!ok) {
      for (int k = 0; k < n.operands; ++k) c.waits[c.find(g.values[views[g.edges[n.edge + k]].root].node)] = 0;
      c.stage[i] = s + 1;
      continue;
    }
    int home = i;
    for (int k = 0; k < n.operands; ++k) {
      int r = g.values[views[g.edges[n.edge + k]].root].node;
      if (class_of(g, g.nodes[r]) != node_class::compute) continue;
      int p = c.find(r);
      if (p == home || (!c.waits[p] && c.stage[p] != s)) continue;
      int low = p < home ? p : home, high = p < home ? home : p;
      c.parent[high] = low;
      home = low;
    }
    c.spaces[home] = merged;
    c.stage[home] = s;
    c.waits[home] = pure;
  }
}

}  // namespace etna::rewrite
