// SPDX-License-Identifier: BSD-3-Clause
// After the cut: a product that is only added to something, perhaps times a number, and so is a result of the program,
// adds itself where its blocks are still in registers: the update of weights by their gradient. Where more follows, it
// stays a kernel of its own that all of it shares. Read next: plan.hpp.
#pragma once
#include "fuse.hpp"

namespace etna::planning {

/// `start + scale * product`, as equations of the graph.
struct accumulation {
  int product = -1, times = -1;  // nodes; -1: there is none
  int start = -1, scale = -1;    // values: an operand of the sum; and of `times`, -1: 1
  bool is_negative = false;

  /// The sum that node i is, or one without a product.
  constexpr accumulation(graph const& g, view const* views, cut const& c, int i) {
    node_info const& n = g.nodes[i];
    if (c.cls[i] != node_class::compute || (n.op != code<ops::add_p> && n.op != code<ops::sub_p>)) return;
    is_negative = n.op == code<ops::sub_p>;
    for (int side = 1; side >= int(is_negative) && product < 0; --side) {
      int const other = g.edges[n.edge + 1 - side];
      if (is_memory(g, views, other)) find(g, views, c, g.edges[n.edge + side], other);
    }
  }

 private:
  /// Are the elements the whole of their memory, in its order?
  static constexpr bool is_whole(graph const& g, view const* views, int value) {
    view const& v = views[value];
    tensor_type const& t = g.values[value].type;
    return !v.is_part && is_contiguous(v, t) && t.size() == g.values[v.root].type.size();
  }
  static constexpr bool is_memory(graph const& g, view const* views, int value) {
    return !is_virtual(g, views[value]) && is_whole(g, views, value);
  }
  static constexpr bool is_one_number(graph const& g, view const* views, int value) {
    view const& v = views[value];
    if (is_virtual(g, v)) return g.nodes[g.values[v.root].node].op == code<ops::full_p>;
    for (int a = 0; a < g.values[value].type.rank; ++a)
      if (v.stride[a] != 0) return false;
    return true;
  }
  constexpr void find(graph const& g, view const* views, cut const& c, int value, int other) {
    if (!is_whole(g, views, value)) return;
    int r = g.values[views[value].root].node, number = -1, multiplies = -1;
    if (node_info const& n = g.nodes[r]; n.op == code<ops::mul_p>) {
      multiplies = r;
      for (int side = 0; side < 2 && number < 0; ++side) {
        int const x = g.edges[n.edge + side], y = g.edges[n.edge + 1 - side];
        if (!is_one_number(g, views, x) || !is_whole(g, views, y)) continue;
        number = x;
        r = g.values[views[y].root].node;
      }
      if (number < 0) return;
    }
    node_info const& p = g.nodes[r];
    dtype const d = g.values[p.value].type.d;
    if (c.form[r] != ops::form::contraction || !is_floating(d) || computed_in(g.values[g.edges[p.edge]].type.d) != d)
      return;
    product = r;
    times = multiplies;
    start = other;
    scale = number;
  }
};

constexpr void accumulate(graph const& g, view const* views, int const* outputs, int n_out, cut& c) {
  bool any = false;
  for (int k = 0; k < n_out && !any; ++k) any = accumulation(g, views, c, g.values[outputs[k]].node).product >= 0;
  if (!any) return;
  tracing::zeros<int> reads;  // by value that is memory: who reads it, results too
  for (int k = 0; k < n_out; ++k) ++reads.at[views[outputs[k]].root];
  for (int i = 0; i < g.n_nodes; ++i) {
    if (c.cls[i] != node_class::compute && c.cls[i] != node_class::opaque) continue;
    node_info const& n = g.nodes[i];
    for (int k = 0; k < n.operands; ++k) ++reads.at[views[g.edges[n.edge + k]].root];
  }
  for (int k = 0; k < n_out; ++k) {
    int const i = g.values[outputs[k]].node;
    accumulation const sum(g, views, c, i);
    if (sum.product < 0 || reads.at[outputs[k]] != 1 || reads.at[g.nodes[sum.product].value] != 1) continue;
    int const kernel = c.find(i);
    if (c.members[kernel] != 1 + (sum.times >= 0)) continue;
    if (sum.times >= 0 && (c.find(sum.times) != kernel || reads.at[g.nodes[sum.times].value] != 1)) continue;
    c.stage[sum.product] = c.stage[kernel];
    c.sum[sum.product] = i + 1;
    c.parent[i] = sum.product;
    if (sum.times >= 0) c.parent[sum.times] = sum.product;
  }
}

}  // namespace etna::planning
