// SPDX-License-Identifier: BSD-3-Clause
// What one loop hands to others slice by slice, and nobody else sees, lies as lanes read it: the large axis of a slice
// behind its small ones. Read next: lane_regions.hpp.
#pragma once
#include "scans.hpp"

namespace etna::rewrite::behind {

/// The axis of a slice that others are small beside, and that is not the last; -1: there is none.
constexpr int large_axis(tensor_type const& t) {
  int large = -1;
  for (int i = 0; i < t.rank; ++i) {
    if (t.e[i] > 0 && t.e[i] <= tuning::lanes::axis) continue;
    if (large >= 0) return -1;
    large = i;
  }
  if (large < 0 || large == t.rank - 1) return -1;
  return ops::lies_behind(t.drop(large)) ? large : -1;
}

/// The results of loops that only loops read, as slices.
class slices {
 public:
  constexpr slices(graph const& g, int const* outputs, int n_out) {
    if (!g.has_wide || g.effects) return;
    for (int i = 0; i < g.n_nodes; ++i) {
      node_info const& n = g.nodes[i];
      bool const loops = is_loop(n);
      scan_words const h = loops ? words_of_loop(g, n) : scan_words{};
      int const first = loops ? h.captured + h.carry : n.operands;
      for (int k = 0; k < first; ++k) axis_.at[g.edges[n.edge + k]] = 0;
      for (int k = loops ? h.carry : n.results; k < n.results; ++k)
        axis_.at[n.value + k] = 1 + large_axis(ops::slice_type(g.values[n.value + k].type));
    }
    for (int k = 0; k < n_out; ++k) axis_.at[outputs[k]] = 0;
    for (int i = 0; i < g.n_values; ++i) any = any || axis_.at[i] > 0;
  }
  bool any = false;
  /// The axis that goes behind the others of a slice, or -1.
  constexpr int of(int id) const { return axis_.at[id] - 1; }
  /// Has an equation such slices or such results?
  constexpr bool has(graph const& g, node_info const& n) const {
    bool any = false;
    if (!is_loop(n)) return any;
    for (int k = 0; k < n.operands; ++k) any = any || of(g.edges[n.edge + k]) >= 0;
    for (int k = 0; k < n.results; ++k) any = any || of(n.value + k) >= 0;
    return any;
  }

 private:
  tracing::zeros<int> axis_;  // by value, + 1
};

/// The pass.
constexpr bool pass(subject& s, graph& to, int* outputs) {
  slices const moved(*s.g, s.outputs, s.n_out);
  if (!moved.any) return false;
  rewrite(
      *s.g, to, s.outputs, s.n_out, outputs,
      [&](writer& w, graph const& from, node_info const& n, int* in) {
        if (!moved.has(from, n)) return keep(w, from, n, in);
        scan_words const h = words_of_loop(from, n);
        ops::var_list operands(h.carry + h.xs), block_in(h.carry + h.xs), args(h.carry + h.xs), outs(n.results),
            block_out(n.results);
        ops::nested_equation whole(w.to, 1);
        {
          ops::region r(w.to);
          for (int k = h.captured; k < n.operands; ++k) {
            int const id = from.edges[n.edge + k], axis = k < h.captured + h.carry ? -1 : moved.of(id);
            operands.push({&w.to, in[k]});
            tensor_type const t = type_of(operands[operands.n - 1]);
            tracing::var const x = ops::argument(&w.to, k < h.captured + h.carry ? t : ops::slice_type(t));
            block_in.push(x);
            args.push(axis < 0 ? x : ops::move_axis(x, type_of(x).rank - 1, axis));
          }
          unpack_loop(w, from, n, in, args, outs);
          for (int k = 0; k < n.results; ++k) {
            int const axis = moved.of(n.value + k);
            block_out.push(axis < 0 ? outs[k] : ops::move_axis(outs[k], axis, type_of(outs[k]).rank - 1));
          }
          whole.pack(r, block_in, block_out);
        }
        return scan_p::write(whole, h, operands);
      },
      no_more);
  return true;
}

}  // namespace etna::rewrite::behind
