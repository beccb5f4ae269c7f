// SPDX-License-Identifier: BSD-3-Clause
// Reverse mode: linearize (the JVP, written for tangents that are not known yet), then turn the
// linear equations round. No primitive is named here. Read next: vmap.hpp.
#pragma once
#include "jvp.hpp"

namespace etna::transform {

/// A value that stands for a tangent that is not known: equations that use it are linear in it.
constexpr var unknown_like(var x) {
  x = tracing::resolve(x);
  return ops::argument(x.g, tracing::type_of(x), tracing::unknown_input);
}

/// Cotangents of the linear map's inputs from those of its outputs; empty vars stand for zero.
///
/// cost    one pass over the linear equations
constexpr void transpose(linear_map const& m, var const* cotangents, var* result) {
  range const& r = m.r;
  graph& g = *r.g;
  scratch_frame linear_frame(g, r.top - r.base, 0), ct_frame(g, r.top - r.base, -1);
  int *linear = linear_frame.data(), *ct = ct_frame.data();
  for (int k = 0; k < m.n_in; ++k) linear[m.in[k].id - r.base] = 1;
  for (int i = r.begin; i < r.end; ++i) {
    auto const& n = g.nodes[i];
    if (!r.sees(n)) continue;
    bool is = false;
    for (int k = 0; k < n.operands; ++k)
      if (int q = g.edges[n.edge + k]; q >= r.base && q < r.top) is = is || linear[q - r.base];
    if (is)
      for (int k = 0; k < n.results; ++k) linear[n.value + k - r.base] = 1;
  }
  auto accumulate = [&](int id, var c) {
    int& at = ct[id - r.base];
    at = at < 0 ? c.id : (var{&g, at} + c).id;
  };
  tracing::rule_scope scope(g, "transpose");
  for (int k = 0; k < m.n_out; ++k)
    if (m.out[k] && cotangents[k] && r.holds(m.out[k].id)) accumulate(m.out[k].id, cotangents[k]);
  ops::row const* rows = ops::rows();
  for (int i = r.end - 1; i >= r.begin; --i) {
    if (ct[g.nodes[i].value - r.base] < 0 && g.nodes[i].results == 1) continue;
    tracing::node_info const n = g.nodes[i];  // a copy: rules write to the graph
    bool has = false;
    for (int k = 0; k < n.results; ++k) has = has || ct[n.value + k - r.base] >= 0;
    if (!has || !r.sees(n)) continue;
    ops::row const& row = rows[n.op];
    if (n.scope != scope.seen) scope.enter(n.scope);
    if (row.wide.there) {
      if (!row.wide->transpose) {
        tracing::refuse<message::reverse_mode_of_while>(&g);
        continue;
      }
      scratch_frame is(g, n.operands, 0), in(g, n.results, -1), out(g, n.operands, -1);
      for (int k = 0; k < n.operands; ++k)
        if (int q = g.edges[n.edge + k]; r.holds(q)) is[k] = linear[q - r.base];
      for (int k = 0; k < n.results; ++k) in[k] = ct[n.value + k - r.base];
      row.wide->transpose(eqn{&g, i}, is.data(), in.data(), out.data());
      for (int k = 0; k < n.operands; ++k)
        if (is[k] && out[k] >= 0) accumulate(g.edges[n.edge + k], {&g, out[k]});
      continue;
    }
    for (int k = 0; k < n.operands; ++k) {
      int q = g.edges[n.edge + k];
      if (q < r.base || q >= r.top || !linear[q - r.base]) continue;
      if (!row.transpose[k].there) throw "a JVP rule is not linear in the tangent: its row has no transpose";
      accumulate(q, row.transpose[k]({&g, ct[n.value - r.base]}, eqn{&g, i}));
    }
  }
  for (int k = 0; k < m.n_in; ++k) {
    int c = ct[m.in[k].id - r.base];
    result[k] = c >= 0 ? var{&g, c} : var{};
  }
}

/// Cotangents of inputs from cotangents of outputs over a range: linearize, then transpose.
constexpr void vjp(range const& r, var const* in, int n_in, var const* out, int n_out, var const* cotangents,
                   var* result, var* unknown, var* tangents_out) {
  graph& g = *r.g;
  int base = g.n_values, begin = g.n_nodes;
  for (int k = 0; k < n_in; ++k) unknown[k] = unknown_like(in[k]);
  jvp(r, in, unknown, n_in, out, n_out, tangents_out);
  range linear{&g, begin, g.n_nodes, base, g.n_values, r.world};
  transpose({linear, unknown, n_in, tangents_out, n_out}, cotangents, result);
}

}  // namespace etna::transform
