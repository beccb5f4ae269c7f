// SPDX-License-Identifier: BSD-3-Clause
// Calls of functions with rules of their own are written out as their equations, so they cost nothing at run time.
#pragma once
#include "pass.hpp"

namespace etna::rewrite {

constexpr bool is_call(graph const& g, node_info const& n) {
  auto const wide = g.has_wide ? ops::table.at[n.op].wide : nullptr;
  return wide && wide->expand && n.level == 0;
}
/// The pass. What is written out may have calls in it.
constexpr bool expand(subject& s, graph& to, int* outputs) {
  return rewrite_where(s, to, outputs, is_call, [](writer& w, graph const& from, node_info const& n, int* in) {
    if (!is_call(from, n)) return keep(w, from, n, in);
    ops::var_list operands(n.operands), results(n.results);
    for (int k = 0; k < n.operands; ++k) operands.push({&w.to, in[k]});
    ops::table.at[n.op].wide->expand(w.to, from.attrs + n.attr, operands.v, results.v);
    int first = 0;  // results follow one another
    for (int k = 0; k < n.results; ++k) {
      int copy = w.write_new(code<ops::copy_p>, results[k].id, w.to.values[results[k].id].type);
      if (k == 0) first = copy;
    }
    return first;
  });
}

}  // namespace etna::rewrite
