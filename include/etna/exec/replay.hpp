// SPDX-License-Identifier: BSD-3-Clause
// A compiled function inside an eager transform: the equations of its trace are written once more, on
// the values that are being recorded. So the function itself is never compiled for run time.
// Read next: jit.hpp.
#pragma once
#include <vector>

#include <etna/eager/interpreter.hpp>

namespace etna::exec {

/// Write the live equations of `traced` to g.
///
/// in      values of the arguments, by number;  outputs, n_out   what is wanted;  out   where it is now
inline void replay(trace::graph const& traced, trace::graph& g, trace::var const* in, int const* outputs, int n_out, trace::var* out) {
  std::vector<char> live(std::size_t(traced.n_values), 0);
  std::vector<trace::var> now(live.size());
  for (int k = 0; k < n_out; ++k) live[std::size_t(outputs[k])] = 1;
  for (int i = traced.n_nodes - 1; i >= 0; --i) {
    auto const& n = traced.nodes[i];
    bool wanted = false;
    for (int k = 0; k < n.results; ++k) wanted = wanted || live[std::size_t(n.value + k)];
    for (int k = 0; k < n.operands && wanted; ++k) live[std::size_t(traced.edges[n.edge + k])] = 1;
  }
  for (int i = 0; i < traced.n_nodes; ++i) {
    auto const& n = traced.nodes[i];
    bool wanted = false;
    for (int k = 0; k < n.results; ++k) wanted = wanted || live[std::size_t(n.value + k)];
    if (!wanted) continue;
    if (n.op == ops::code<ops::input_p>) {
      now[std::size_t(n.value)] = in[traced.attrs[n.attr]];
      continue;
    }
    trace::var operands[trace::max_operands]{};
    for (int k = 0; k < n.operands; ++k) operands[k] = now[std::size_t(traced.edges[n.edge + k])];
    trace::var r = trace::emit(n.op, operands, n.operands, traced.attrs + n.attr, n.attrs,
                               n.operands == 0 ? &traced.values[n.value].type : nullptr, &g);
    for (int k = 0; k < n.results; ++k) now[std::size_t(n.value + k)] = {r.g, r.id + k};
  }
  for (int k = 0; k < n_out; ++k) out[k] = now[std::size_t(outputs[k])];
}

}  // namespace etna::exec
