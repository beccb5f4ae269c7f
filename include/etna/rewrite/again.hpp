// SPDX-License-Identifier: BSD-3-Clause
// What is cheaper to compute again than to read back is computed again: a derivative that reads 1 - x of a slice x
// reads the slice, and the program's own 1 - x is no memory. Read next: ../compiler/passes.hpp.
#pragma once
#include "pass.hpp"

namespace etna::rewrite::again {

/// Elements of memory that reading a value takes; -1: nobody knows, or it may be computed where it is read.
constexpr extent elements_read(graph const& g, int id) {
  node_info const& n = g.nodes[g.values[id].node];
  tensor_type const& t = g.values[id].type;
  if (!t.is_static()) return -1;
  using ops::form;
  switch (ops::table.at[n.op].form) {
    case form::broadcast: return g.values[g.edges[n.edge]].type.size();
    case form::source:
    case form::slice:
    case form::contraction: return t.rank == 0 ? 1 : t.size();
    default: return -1;
  }
}
/// One operation on what is memory anyway, and no more of it than the result would be.
constexpr bool is_cheap(graph const& g, node_info const& n) {
  ops::form const f = ops::table.at[n.op].form;
  tensor_type const& out = g.values[n.value].type;
  if (n.level > 0 || n.results != 1 || n.effect || (f != ops::form::pointwise && f != ops::form::convert) ||
      ops::table.at[n.op].flops > 1 || !out.is_static() || out.rank == 0)
    return false;
  extent bytes = 0;
  for (int k = 0; k < n.operands; ++k) {
    int const id = g.edges[n.edge + k], op = g.nodes[g.values[id].node].op;
    if (op == code<ops::full_p> || op == code<ops::iota_p>) continue;
    extent const m = elements_read(g, id);
    if (m < 0) return false;
    bytes += m * bytes_of(g.values[id].type.d);
  }
  return bytes > 0 && bytes <= out.size() * bytes_of(out.d);
}
/// Does a derivative read of the program what is cheap?
constexpr bool applies(graph const& g, node_info const& n) {
  if (!n.derived || n.level > 0) return false;
  for (int k = 0; k < n.operands; ++k)
    if (node_info const& m = g.nodes[g.values[g.edges[n.edge + k]].node]; !m.derived && is_cheap(g, m)) return true;
  return false;
}

/// The rule of the pass: all equations of derivatives share one copy.
struct copier {
  tracing::zeros<int> copy{};  // by value of the new graph: its copy + 1
  constexpr int operator()(writer& w, graph const& from, node_info const& n, int* in) {
    for (int k = 0; n.derived && k < n.operands; ++k) {
      node_info const m = w.to.nodes[w.to.values[in[k]].node];
      if (m.derived || !is_cheap(w.to, m)) continue;
      int& there = copy.at[in[k]];
      if (there == 0) there = again(w, m) + 1;
      in[k] = there - 1;
    }
    bool const acts = w.anew;
    w.anew = true;  // copies that stand beside each other stay so
    int const r = keep(w, from, n, in);
    w.anew = acts;
    return r;
  }

 private:
  static constexpr int again(writer& w, node_info const& m) {
    int operands[tracing::max_operands]{};
    std::int64_t attr[4 * max_rank + 4]{};  // the pool that has them may grow
    for (int k = 0; k < m.operands; ++k) operands[k] = w.to.edges[m.edge + k];
    for (int k = 0; k < m.attrs; ++k) attr[k] = w.to.attrs[m.attr + k];
    tensor_type const t = w.to.values[m.value].type;
    return w.to.append(m.op, 0, operands, m.operands, attr, m.attrs, &t, 1);
  }
};

/// The pass, of a legal graph; it sees its values anew.
constexpr bool pass(subject& s, graph& to, int* outputs) {
  copier rule;
  if (!rewrite_where(s, to, outputs, applies,
                     [&](writer& w, graph const& from, node_info const& n, int* in) { return rule(w, from, n, in); }))
    return false;
  for (int id = 0; id < to.n_values; ++id) s.views[id] = {};
  for (int i = 0; i < to.n_nodes; ++i) see(to, to.nodes[i], s.views);
  return true;
}

}  // namespace etna::rewrite::again
