// SPDX-License-Identifier: BSD-3-Clause
// Sums of one array over some axes, and of another over more of them: the second is summed over the first one's axes
// first, and then over the rest. So both are parts of one kernel, where they would be two passes over what they share:
// an energy beside its forces, a loss beside the sums of its columns. Read next: outer.hpp.
#pragma once
#include "pass.hpp"
#include "unroll.hpp"

namespace etna::rewrite::stage {

using limits = tuning::stage;

/// The reductions that go in two stages.
class stages {
 public:
  constexpr explicit stages(graph const& g) : g_(g) {
    int n = 0;
    for (int i = 0; i < g.n_nodes; ++i) n += is_reduction(g.nodes[i]);
    if (n < 2) return;
    for (int i = 0; i < g.n_nodes; ++i) {
      node_info const& node = g.nodes[i];
      group_.at[i] = i;
      for (int k = 0; k < node.operands; ++k) {
        int const j = g.values[g.edges[node.edge + k]].node, depth = depth_.at[j] + is(j, ops::form::reduction);
        depth_.at[i] = depth > depth_.at[i] ? depth : depth_.at[i];
      }
      if (!is(i, ops::form::pointwise) && !is(i, ops::form::convert)) continue;
      for (int k = 0; k < node.operands; ++k) {
        int const id = g.edges[node.edge + k], j = g.values[id].node;
        if (depth_.at[i] == depth_.at[j] && g.values[id].type.same_shape(g.values[node.value].type)) unite(i, j);
      }
    }
    for (int i = 0; i < g.n_nodes; ++i)
      if (int const axes = first_axes(g.nodes[i]); axes > 0) {
        int& some = axes_.at[group_of(g.nodes[i])];
        if (some == 0) some = axes;
      }
    for (int i = 0; i < g.n_nodes; ++i) any_ = any_ || of(g.nodes[i]) != 0;
  }
  constexpr bool any() const { return any_; }
  /// The axes over which an equation sums first, a bit each; 0: all at once.
  constexpr int of(node_info const& n) const {
    if (!is_reduction(n)) return 0;
    int const all = axes_of(n), some = axes_.at[group_of(n)];
    return some != all && (some & all) == some ? some : 0;
  }

 private:
  graph const& g_;
  bool any_ = false;
  tracing::zeros<int> group_;  // by node: another one of those that are computed together
  tracing::zeros<int> depth_;  // by node: reductions on the way to it
  tracing::zeros<int> axes_;   // by the first one of such: over which a part of it is summed

  constexpr bool is(int i, ops::form f) const { return ops::table.at[g_.nodes[i].op].form == f; }
  constexpr bool is_reduction(node_info const& n) const {
    return n.level == 0 && is(int(&n - g_.nodes), ops::form::reduction) && unroll::combines(n.op) >= 0 &&
           g_.values[n.value].type.d != dtype::boolean;
  }
  constexpr int axes_of(node_info const& n) const {
    int axes = 0;
    for (int i = 0; i < n.attrs; ++i) axes |= 1 << g_.attrs[n.attr + i];
    return axes;
  }
  /// Those of a reduction that leaves some axes, but of its operand little; else 0.
  constexpr int first_axes(node_info const& n) const {
    if (!is_reduction(n)) return 0;
    extent const before = elements(g_.edges[n.edge]), after = elements(n.value);
    return after > 1 && before >= limits::least * after ? axes_of(n) : 0;
  }
  /// Names count as a number.
  constexpr extent elements(int id) const {
    tensor_type const& t = g_.values[id].type;
    extent n = 1;
    for (int i = 0; i < t.rank; ++i) n = ext::mul(n, t.e[i] < 0 ? limits::named : t.e[i]);
    return n;
  }
  constexpr int group_of(node_info const& n) const { return first(g_.values[g_.edges[n.edge]].node); }
  constexpr int first(int i) const {
    while (group_.at[i] != i) i = group_.at[i];
    return i;
  }
  constexpr void unite(int i, int j) {
    i = first(i), j = first(j);
    group_.at[i > j ? i : j] = i > j ? j : i;
  }
};

/// The pass.
constexpr bool pass(subject& s, graph& to, int* outputs) {
  stages const all(*s.g);
  if (!all.any()) return false;
  rewrite(
      *s.g, to, s.outputs, s.n_out, outputs,
      [&](writer& w, graph const& from, node_info const& n, int const* in) {
        int const some = all.of(n);
        if (some == 0) return keep(w, from, n, in);
        tensor_type const& t = from.values[from.edges[n.edge]].type;
        tensor_type partial{t.d, 0, {}};
        std::int64_t axes[2][max_rank]{};
        int n_axes[2]{};
        for (int i = 0; i < t.rank; ++i)
          if (some >> i & 1) axes[0][n_axes[0]++] = i;
          else partial.e[partial.rank++] = t.e[i];
        for (int i = 0; i < n.attrs; ++i)
          if (int const axis = int(from.attrs[n.attr + i]); !(some >> axis & 1)) {
            int before = 0;
            for (int a = 0; a < n_axes[0]; ++a) before += axes[0][a] < axis;
            axes[1][n_axes[1]++] = axis - before;
          }
        int const x = w.write(n.op, in, 1, axes[0], n_axes[0], &partial, 1);
        return w.write(n.op, &x, 1, axes[1], n_axes[1], &from.values[n.value].type, 1);
      },
      no_more);
  return true;
}

}  // namespace etna::rewrite::stage
