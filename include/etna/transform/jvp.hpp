// SPDX-License-Identifier: BSD-3-Clause
// Forward mode over a range of a graph: for each live equation, the row's JVP rule writes the
// tangent. No primitive is named here. Read next: transpose.hpp.
#pragma once
#include <etna/ops/table.hpp>

namespace etna::transform {

using tracing::eqn;
using tracing::graph;
using tracing::linear_map;
using tracing::range;
using tracing::range_from;
using tracing::scratch_frame;
using tracing::var;

/// Is one of these not zero?
constexpr bool any_of(int const* marks, int n) {
  for (int k = 0; k < n; ++k)
    if (marks[k]) return true;
  return false;
}

/// Mark in `live` (indexed from base) what the outputs need.
constexpr void mark_live(range const& r, var const* out, int n_out, int* live) {
  for (int k = 0; k < n_out; ++k)
    if (out[k] && r.holds(out[k].id)) live[out[k].id - r.base] = 1;
  for (int i = r.end - 1; i >= r.begin; --i) {
    auto const& n = r.g->nodes[i];
    if (!any_of(live + (n.value - r.base), n.results) || !r.sees(n)) continue;
    for (int k = 0; k < n.operands; ++k)
      if (int q = r.g->edges[n.edge + k]; q >= r.base && q < r.top) live[q - r.base] = 1;
  }
}

/// Tangents of the outputs for these tangents of the inputs; an empty var stands for zero.
///
/// cost    one pass over the range; only what lies between inputs and outputs is written
constexpr void jvp(range const& r, var const* in, var const* tangents, int n_in, var const* out, int n_out,
                   var* result) {
  graph& g = *r.g;
  scratch_frame live_frame(g, r.top - r.base, 0), tangent_frame(g, r.top - r.base, -1);
  int *live = live_frame.data(), *tangent = tangent_frame.data();
  mark_live(r, out, n_out, live);
  for (int k = 0; k < n_in; ++k)
    if (tangents[k]) tangent[in[k].id - r.base] = tangents[k].id;
  tracing::rule_scope scope(g, "jvp");
  ops::row const* rows = ops::rows();
  for (int i = r.begin; i < r.end; ++i) {
    if (!any_of(live + (g.nodes[i].value - r.base), g.nodes[i].results) || !r.sees(g.nodes[i])) continue;
    tracing::node_info const n = g.nodes[i];  // a copy: rules write to the graph
    ops::row const& row = rows[n.op];
    if (!row.differentiable) continue;
    if (n.scope != scope.seen) scope.enter(n.scope);
    if (row.wide.there) {
      scratch_frame t(g, n.operands, -1), out(g, n.results, -1);
      bool any = false;
      for (int k = 0; k < n.operands; ++k)
        if (int q = g.edges[n.edge + k]; r.holds(q)) any = (t[k] = tangent[q - r.base]) >= 0 || any;
      if (!any) continue;
      row.wide->jvp(eqn{&g, i}, t.data(), out.data());
      for (int k = 0; k < n.results; ++k) tangent[n.value + k - r.base] = out[k];
      continue;
    }
    var t[tracing::max_operands]{};
    bool any = false;
    for (int k = 0; k < n.operands;
         ++k) {  // each is written, from 0 on: docs/architecture/compilers.md says what g++ 12 does otherwise
      int q = g.edges[n.edge + k];
      t[k] = {&g, q >= r.base && q < r.top ? tangent[q - r.base] : -1};
      any = any || t[k].id >= 0;
    }
    if (!any) continue;
    var sum[tracing::max_results]{};
    if (row.jvp_jointly.there) row.jvp_jointly(t, eqn{&g, i}, sum);
    else
      for (int k = 0; k < n.operands; ++k)
        if (t[k] && row.jvp[k].there)
          if (var d = row.jvp[k](t[k], eqn{&g, i})) sum[0] = sum[0] ? sum[0] + d : d;
    for (int k = 0; k < n.results; ++k)
      if (sum[k]) tangent[n.value + k - r.base] = sum[k].id;
  }
  for (int k = 0; k < n_out; ++k) {
    int t = r.holds(out[k].id) ? tangent[out[k].id - r.base] : -1;
    result[k] = t >= 0 ? var{&g, t} : var{};
  }
}

}  // namespace etna::transform
