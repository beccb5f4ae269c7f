// SPDX-License-Identifier: BSD-3-Clause
// A reduction over the few elements of a window is a chain of elementwise operations on slices: it has as many lanes as
// the array has, it fuses with its neighbours, and nothing as large as all windows is there. Read next: legalize.hpp.
#pragma once
#include "elements.hpp"
#include "pass.hpp"

namespace etna::rewrite::unroll {

/// What combines two elements as the reduction does, of extremes with their places the extremes; -1: none.
constexpr int combines(int op) {
  using namespace ops;
  switch (op) {
    case code<sum_p>: return code<add_p>;
    case code<prod_p>: return code<mul_p>;
    case code<amax_p>:
    case code<amax_first_p>:
    case code<argmax_p>: return code<max_p>;
    case code<amin_p>:
    case code<amin_first_p>:
    case code<argmin_p>: return code<min_p>;
    default: return -1;
  }
}
/// Is the value an elementwise one of windows, whose elements are all of these axes?
constexpr bool reads_windows(graph const& g, int id, bool const* gone, int depth) {
  node_info const& n = g.nodes[g.values[id].node];
  tensor_type const& t = g.values[id].type;
  using ops::form;
  switch (ops::table.at[n.op].form) {
    case form::windows: {
      int const rank = g.values[g.edges[n.edge]].type.rank;
      for (int i = 0; i < t.rank; ++i)
        if (gone[i] != (i >= rank)) return false;
      return true;
    }
    case form::transpose: {
      bool inner[max_rank]{};
      for (int i = 0; i < t.rank; ++i) inner[g.attrs[n.attr + i]] = gone[i];
      return reads_windows(g, g.edges[n.edge], inner, depth);
    }
    case form::pointwise:
    case form::convert:
      for (int k = 0; k < n.operands && depth > 0; ++k)
        if (reads_windows(g, g.edges[n.edge + k], gone, depth - 1)) return true;
      return false;
    default: return false;
  }
}
constexpr bool applies(graph const& g, node_info const& n) {
  if (n.level > 0 || ops::table.at[n.op].form != ops::form::reduction || combines(n.op) < 0) return false;
  int const x = g.edges[n.edge];
  bool gone[max_rank]{};
  extent elements = 1;
  for (int k = 0; k < n.attrs; ++k) {
    gone[g.attrs[n.attr + k]] = true;
    elements = ext::mul(elements, g.values[x].type.e[g.attrs[n.attr + k]]);
  }
  return elements >= 1 && elements <= tuning::unroll::elements && reads_windows(g, x, gone, tuning::unroll::depth);
}
/// The rule of the pass.
constexpr int rule(writer& w, graph const& from, node_info const& n, int const* in) {
  if (!applies(from, n)) return keep(w, from, n, in);
  tensor_type const& t = from.values[from.edges[n.edge]].type;
  fixed_axes f;
  extent elements = 1;
  for (int k = 0; k < n.attrs; ++k) {
    int const axis = int(from.attrs[n.attr + k]);
    f.fixed[axis] = true;
    elements *= t.e[axis];
  }
  tracing::var r{};
  for (extent e = 0; e < elements; ++e) {
    extent rest = e;
    for (int k = n.attrs - 1; k >= 0; --k) {
      int const axis = int(from.attrs[n.attr + k]);
      f.at[axis] = rest % t.e[axis];
      rest /= t.e[axis];
    }
    tracing::var const one = rewriting_of_elements().at({&w.to, in[0]}, f), both[] = {r, one};
    r = e == 0 ? one : tracing::emit(combines(n.op), both, 2, nullptr, 0);
  }
  return r.id;
}

/// The pass.
constexpr bool pass(subject& s, graph& to, int* outputs) { return rewrite_where(s, to, outputs, applies, rule); }

}  // namespace etna::rewrite::unroll
