// SPDX-License-Identifier: BSD-3-Clause
// A compiled function inside an eager transform: the equations of its trace are written once more, on
// the values that are being recorded. So the function itself is never compiled for run time.
// Read next: interpreter.hpp.
#pragma once
#include <vector>

#include <etna/transform/capture.hpp>

namespace etna::eager {

/// Write the live equations of a trace once more.
///
/// in      the arguments, by number: at least one is being recorded, or `into` is given
/// out     the values of its outputs, in the graph of the recording
inline void replay(tracing::script const& traced, eager::value const* in, int n_in, tracing::var* out,
                   tracing::graph* into) {
  std::vector<tracing::var> arguments(std::size_t(n_in) + 1);
  tracing::graph* g = into;
  for (int k = 0; k < n_in; ++k)
    if (tracing::var v = tracing::resolve(in[k].v); v.g && v.g != g) {
      tracing::var both[] = {v, v};
      if (g) both[0] = {g, 0};
      g = tracing::join(both, 2);
    }
  for (int k = 0; k < n_in; ++k)
    arguments[std::size_t(k)] = in[k].v.g ? tracing::resolve(in[k].v) : transform::record(in[k], g);

  std::vector<char> live(std::size_t(traced.n_values), 0);
  std::vector<tracing::var> now(live.size());
  for (int k = 0; k < traced.n_outputs; ++k) live[std::size_t(traced.outputs[k])] = 1;
  auto wanted = [&](tracing::node_info const& n) {
    for (int k = 0; k < n.results; ++k)
      if (live[std::size_t(n.value + k)]) return true;
    return n.effect != 0;
  };
  for (int i = traced.n_nodes - 1; i >= 0; --i) {
    auto const& n = traced.nodes[i];
    for (int k = 0; k < n.operands && wanted(n); ++k) live[std::size_t(traced.edges[n.edge + k])] = 1;
  }
  tensor_type const* source = traced.sources;
  int outer = g->scope, scope = 0;
  bool const was_derived = g->derived;
  for (int i = 0; i < traced.n_nodes; ++i) {
    auto const& n = traced.nodes[i];
    tracing::maybe<tensor_type const> type;
    if (n.operands == 0) type = *source++;
    if (!wanted(n)) continue;
    if (n.op == ops::code<ops::input_p>) {
      now[std::size_t(n.value)] = arguments[std::size_t(traced.attrs[n.attr])];
      continue;
    }
    if (n.scope != scope)
      g->scope = tracing::copy_scope(*g, g->scopes, outer, tracing::block{nullptr, 0, traced.attrs}, scope = n.scope);
    g->derived = n.derived;
    tracing::var operands[tracing::max_operands]{};
    tracing::var r;
    if (tracing::is_wide(n.op)) {
      std::vector<int> ids(std::size_t(n.operands) + 1);
      for (int k = 0; k < n.operands; ++k) ids[std::size_t(k)] = now[std::size_t(traced.edges[n.edge + k])].id;
      int at = g->n_attrs;
      for (int k = 0; k < n.attrs; ++k) g->word(traced.attrs[n.attr + k]);
      r = {g, tracing::emit_wide(*g, n.op, ids.data(), n.operands, at, n.attrs)};
    } else {
      for (int k = 0; k < n.operands; ++k) operands[k] = now[std::size_t(traced.edges[n.edge + k])];
      r = tracing::emit(n.op, operands, n.operands, traced.attrs + n.attr, n.attrs, type, g);
    }
    for (int k = 0; k < n.results; ++k) now[std::size_t(n.value + k)] = {r.g, r.id + k};
  }
  g->scope = outer;
  g->derived = was_derived;
  for (int k = 0; k < traced.n_outputs; ++k) out[k] = now[std::size_t(traced.outputs[k])];
}

}  // namespace etna::eager
