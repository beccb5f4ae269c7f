// SPDX-License-Identifier: BSD-3-Clause
// Cut the graph into kernels. A kernel has a space of elements; reductions split it into rows (the
// trailing axes are reduced, one row at a time) or columns (leading axes are reduced). Equations join
// the kernel of an operand of the same stage; every other edge raises the stage, so the kernels form
// no cycle by construction. One pass, near linear. Read next: sink.hpp.
#pragma once
#include <etna/rewrite/patches.hpp>

namespace etna::planning {

using ops::code;
using rewrite::is_contiguous;
using rewrite::is_virtual;
using rewrite::product_axes;
using rewrite::product_loops;
using rewrite::row_major;
using rewrite::same_squeezed;
using rewrite::squeeze;
using rewrite::view;
using tracing::graph;
using tracing::node_info;

enum class node_class { source, free, view, compute, opaque };
constexpr node_class class_of(int op) {
  if (op == code<ops::full_p> || op == code<ops::iota_p>) return node_class::free;
  switch (ops::table.at[op].form) {
    case ops::form::source: return node_class::source;
    case ops::form::broadcast:
    case ops::form::reshape:
    case ops::form::transpose:
    case ops::form::slice:
    case ops::form::windows: return node_class::view;
    case ops::form::contraction:
    case ops::form::scatter:
    case ops::form::routine:
    case ops::form::scan:
    case ops::form::branch:
    case ops::form::loop: return node_class::opaque;
    default: return node_class::compute;
  }
}

/// What the passes ask of a primitive, looked up once.
struct traits {
  node_class cls;
  bool reduces;
};
inline constexpr auto traits_of = [] {
  struct {
    traits at[ops::table.size()];
  } t{};
  for (int op = 0; op < int(ops::table.size()); ++op) {
    ops::form f = ops::table.at[op].form;
    t.at[op] = {class_of(op), f == ops::form::reduction || f == ops::form::arg_reduction};
  }
  return t;
}();

/// The space of a kernel: extents without 1s, and how reductions split it.
struct space {
  tensor_type t;
  int split;  // rows: so many leading axes are kept; -1: nothing is reduced yet
  int to;     // columns: axes [split, to) are reduced, those behind are kept; -1: rows
  constexpr bool is_columns() const { return to >= 0; }
  /// The shape of what a reduction leaves.
  constexpr tensor_type kept() const {
    tensor_type k{t.d, 0, {}};
    for (int i = 0; i < t.rank; ++i)
      if (i < split || (to >= 0 && i >= to)) k.e[k.rank++] = t.e[i];
    return k;
  }
};
constexpr tensor_type squeezed(tensor_type const& t) {
  tensor_type s{t.d, 0, {}};
  for (int i = 0; i < t.rank; ++i)
    if (t.e[i] != 1) s.e[s.rank++] = t.e[i];
  return s;
}
/// One kernel for both? Then `a` is its space.
constexpr bool merge(space& a, space const& b) {
  if (b.t.rank > a.t.rank) {
    space larger = b;
    if (!merge(larger, a)) return false;
    a = larger;
    return true;
  }
  if (a.t.same_shape(b.t)) {
    if (b.split < 0) return true;
    if (a.split < 0) {
      a = b;
      return true;
    }
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
  if (v.is_part) return relation::other;
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
struct cut : tracing::working {
  int parent[tracing::most_nodes]{};   // union-find over nodes: the kernel's first node
  int stage[tracing::most_nodes]{};    // when the kernel runs, by its first node
  int members[tracing::most_nodes]{};  // equations of the kernel, by its first node
  // by first node: 1 while a kernel reads arguments only, or rows of what reads only these, and so may run as late as
  // needed
  int waits[tracing::most_nodes]{};
  int early[tracing::most_nodes]{};     // by first node: 1 where it waited, until what it gives was read from memory
  space spaces[tracing::most_nodes]{};  // of kernels, by their first node
  node_class cls[tracing::most_nodes]{};
  ops::form form[tracing::most_nodes]{};
  bool reduces[tracing::most_nodes]{};
  int moves_of[tracing::most_nodes]{};  // so many patches of the kernel read what it computes, by its first node
  bool gathers[tracing::most_nodes]{};  // there is a gather in it, by its first node
  int effects = 0;                      // the stage of the latest effect
  int sum[tracing::most_nodes]{};       // product -> the node + 1 that it is added by (accumulate.hpp)
  int place[tracing::most_nodes]{};  // a piece of an array -> the update + 1 that would put it there (piece_places.hpp)
  int whole[tracing::most_nodes]{};  // such an update -> the last one of its array + 1
  int masks[tracing::most_nodes]{};  // a list of nodes: elements that are true or false
  int n_masks = 0;
  int moved[tracing::most_nodes]{};  // a list of nodes: patches of what their kernel computes
  int n_moved = 0;
  int open[tracing::most_nodes]{};   // by stage: the kernel + 1 of those who came behind full ones
  int after[tracing::most_nodes]{};  // a copy (copied_graph.hpp) -> the node + 1 behind which it is computed

  constexpr int find(int i) {
    while (parent[i] != i) {
      parent[i] = parent[parent[i]];
      i = parent[i];
    }
    return i;
  }
};

/// The space of one equation alone.
constexpr space own_space(graph const& g, node_info const& n, bool reduces) {
  space s{{}, -1, -1};
  if (!reduces) {
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
  s.split = first < 0 ? s.t.rank : first;  // of axes of one element: rows of one element
  if (first >= 0 && last + 1 < s.t.rank) s.to = last + 1;
  return s;
}

/// Can operand k of n be a value of the kernel whose space is `theirs`? May refine the space `with`.
constexpr bool relates(graph const& g, node_info const& n, view const& v, int k, ops::form f, bool reduces,
                       space const& theirs, space& with) {
  if (f == ops::form::patch && k == 1) return theirs.split < 0 && theirs.t.same_shape(with.t);  // moved along the row
  int q = g.edges[n.edge + k];
  if (v.root == q && f == ops::form::pointwise) return true;  // no movement between the two
  bool shaped = reduces || f == ops::form::gather;            // operands of other shapes than the result
  tensor_type const& read_as = g.values[shaped ? q : n.value].type;
  tensor_type const& root = g.values[v.root].type;
  if (f == ops::form::gather && !same_squeezed(read_as, g.values[n.value].type)) return false;
  switch (relate(v, read_as, root)) {
    case relation::same: return !reduces || squeezed(read_as).same_shape(theirs.t);  // it reads elements, not rows
    case relation::row: {
      space need = own_space(g, n, reduces);
      need.split = squeezed(root).rank;
      return !reduces && merge(with, need);
    }
    default: return false;
  }
}

/// An equation as it is cut.
///
/// of      the kernels of its operands, or -1
/// stage   when it runs
/// moves   it reads its neighbours' values in the same kernel
/// plain   what it reads of kernels of one element each is not moved, so there is one space, and it is theirs
/// pure    it reads arguments only, or rows of what reads only these, and so may run as late as needed
/// light   it is one operation, of elements
/// behind  it would be in the kernel of an operand, if that were not full
struct node_cut {
  int of[tracing::max_operands]{};
  int stage = 0;
  bool opaque, reduces, moves, gathers, plain, pure, light, behind = false;
  constexpr node_cut(graph const& g, view const* views, cut const& c, int i)
      : opaque(c.cls[i] == node_class::opaque),
        reduces(c.reduces[i]),
        moves(c.form[i] == ops::form::patch && rewrite::shift_of(g, views, g.nodes[i]) != 0),
        gathers(c.form[i] == ops::form::gather),
        plain(c.form[i] == ops::form::pointwise),
        pure(!opaque && !reduces),
        light(c.form[i] == ops::form::pointwise && ops::table.at[g.nodes[i].op].flops <= 1) {}
};
/// Operand k of n is read from the memory of kernel p, which waits no more. What computes more than it reads of what
/// came early, as of a row for all rows, may still run late: the row lives longer, and no memory has all of them. So
/// may one operation on a part of what is memory.
constexpr void leave_memory(graph const& g, view const* views, cut& c, node_info const& n, int k, int p, node_cut& x) {
  c.early[p] = c.early[p] || c.waits[p];
  c.waits[p] = 0;
  if (x.light && views[g.edges[n.edge + k]].is_part) return;
  extent const read = g.values[views[g.edges[n.edge + k]].root].type.size(), made = g.values[n.value].type.size();
  if (!c.early[p] || read < 0 || made < 0 || read >= made) x.pure = false;
}
/// The kernels of its operands, and how early they let it run.
constexpr void look_at_operands(graph const& g, view const* views, cut& c, int i, node_cut& x) {
  node_info const& n = g.nodes[i];
  bool const patches = c.form[i] == ops::form::patch;
  for (int k = 0; k < n.operands; ++k) {
    int q = g.edges[n.edge + k], root = views[q].root, r = g.values[root].node;
    node_class cls = c.cls[r];
    if (!x.opaque) x.of[k] = -1;
    if (cls == node_class::source || cls == node_class::free) continue;
    int p = c.parent[r] == r ? r : c.find(r);
    bool const neighbours = x.moves && k == 1;
    // what it reads at other elements, or from a kernel that is large enough
    bool const full = c.members[p] >= (neighbours                            ? tuning::stencil::most_members
                                       : x.reduces || c.spaces[p].split >= 0 ? tuning::most_members
                                                                             : tuning::most_elementwise),
               apart = x.opaque || (patches && k == 1 && !x.moves) || (x.gathers && k == 0) || full;
    x.behind = x.behind || (full && cls == node_class::compute);
    if (cls == node_class::compute && !apart) {
      x.of[k] = p;
      x.plain = x.plain && root == q && c.spaces[p].split < 0 && !c.moves_of[p];
    }
    if (c.waits[p] && !apart) {
      if (c.stage[p] > x.stage) x.stage = c.stage[p];
      continue;
    }
    leave_memory(g, views, c, n, k, p, x);
    int least = c.stage[p] + (cls == node_class::opaque || apart);
    if (least > x.stage) x.stage = least;
  }
  if (c.after[i]) {
    x.stage = std::max(x.stage, c.stage[c.find(c.after[i] - 1)] + 1);
    x.pure = false;
  }
  if (n.effect) {  // in order: of one stage, steps follow their equations
    if (c.effects > x.stage) x.stage = c.effects;
    c.effects = x.stage;
  }
}
/// May all operands of this stage, and those that wait, be in one kernel with it? Else it runs a stage later. Rows of a
/// stencil are whole, and not summed.
constexpr void join_spaces(graph const& g, view const* views, cut& c, int i, node_cut& x) {
  node_info const& n = g.nodes[i];
  space merged = c.spaces[i];
  bool is_stencil = false, has_gather = x.gathers;
  for (int k = 0; k < n.operands; ++k) {
    int p = x.of[k];
    if (p < 0 || (!c.waits[p] && c.stage[p] != x.stage)) continue;
    space with = merged;
    bool const stencil = is_stencil || c.moves_of[p] > 0 || (x.moves && k == 1), gather = has_gather || c.gathers[p];
    if (relates(g, n, views[g.edges[n.edge + k]], k, c.form[i], x.reduces, c.spaces[p], with) &&
        merge(with, c.spaces[p]) && !(stencil && (gather || with.split >= 0))) {
      merged = with;
      if (!c.waits[p]) x.pure = false;  // that kernel may have been read
      is_stencil = stencil;
      has_gather = gather;
      continue;
    }
    bool const waited = c.waits[p];
    leave_memory(g, views, c, n, k, p, x);
    if (waited && x.stage > c.stage[p]) continue;  // it runs before
    ++x.stage;                                     // behind it; what waits may still come along
    merged = c.spaces[i];
    is_stencil = false;
    has_gather = x.gathers;
    k = -1;
  }
  c.spaces[i] = merged;
}
/// Kernels of one stage need nothing of each other. Those who came behind full kernels are one, as long as it is not
/// full: else each of many equations that read different values of a full one would be a pass over memory.
constexpr void join_open(cut& c, int home) {
  int& open = c.open[c.stage[home]];
  int const there = open > 0 ? c.find(open - 1) : home;
  space const &a = c.spaces[there], &b = c.spaces[home];
  auto joins = [&](int k) { return c.spaces[k].split < 0 && !c.gathers[k] && !c.moves_of[k] && !c.waits[k]; };
  bool const fits = there != home && joins(there) && joins(home) && c.stage[there] == c.stage[home] &&
                    a.t.same_shape(b.t) && c.members[there] + c.members[home] <= tuning::most_elementwise;
  if (fits) {
    int const low = there < home ? there : home, high = there < home ? home : there;
    c.parent[high] = low;
    c.members[low] += c.members[high];
  } else if (joins(home)) open = home + 1;
}
/// One equation: the stage and the kernel that it runs in.
constexpr void cut_node(graph const& g, view const* views, cut& c, int i) {
  node_info const& n = g.nodes[i];
  node_cut x(g, views, c, i);
  look_at_operands(g, views, c, i, x);
  c.stage[i] = x.stage;
  if (!x.plain) {
    c.spaces[i] = own_space(g, n, x.reduces);
    if (x.opaque) return;
    join_spaces(g, views, c, i, x);
    c.stage[i] = x.stage;
  }
  int home = i;
  c.gathers[i] = x.gathers;
  for (int k = 0; k < n.operands; ++k) {
    if (x.of[k] < 0) continue;
    int p = c.parent[x.of[k]] == x.of[k] ? x.of[k] : c.find(x.of[k]);
    if (p != home && !c.waits[p] && c.stage[p] != x.stage) continue;
    if (x.moves && k == 1) {
      ++c.moves_of[home];
      c.moved[c.n_moved++] = i;
    }
    if (p == home) continue;
    int low = p < home ? p : home, high = p < home ? home : p;
    c.parent[high] = low;
    c.members[low] += c.members[high];
    c.moves_of[low] += c.moves_of[high];
    c.gathers[low] = c.gathers[low] || c.gathers[high];
    home = low;
  }
  if (!x.plain) c.spaces[home] = c.spaces[i];
  else if (home == i) c.spaces[i] = own_space(g, n, false);
  c.stage[home] = x.stage;
  c.waits[home] = x.pure;
  if (x.behind && c.form[i] == ops::form::pointwise && !x.pure) join_open(c, home);
}

constexpr void fuse(graph const& g, view const* views, int const* outputs, int n_out, cut& c) {
  // what nobody reads is left out, but arguments
  tracing::zeros<bool> live;
  for (int k = 0; k < n_out; ++k) live.at[g.values[outputs[k]].node] = true;
  for (int i = 0; g.effects && i < g.n_nodes; ++i)
    if (g.nodes[i].effect) live.at[i] = true;
  for (int i = g.n_nodes - 1; i >= 0; --i) {
    node_info const& n = g.nodes[i];
    if (live.at[i])
      for (int k = 0; k < n.operands; ++k) live.at[g.values[g.edges[n.edge + k]].node] = true;
  }
  for (int i = 0; i < g.n_nodes; ++i) {
    int op = g.nodes[i].op;
    c.parent[i] = i;
    c.members[i] = 1;
    c.form[i] = ops::table.at[op].form;
    c.cls[i] = live.at[i] || op == code<ops::input_p> ? traits_of.at[op].cls : node_class::free;
    c.reduces[i] = traits_of.at[op].reduces;
    if (c.cls[i] != node_class::compute && c.cls[i] != node_class::opaque) continue;
    cut_node(g, views, c, i);
    if (c.form[i] == ops::form::pointwise && g.values[g.nodes[i].value].type.d == dtype::boolean)
      c.masks[c.n_masks++] = i;
  }
}

}  // namespace etna::planning
