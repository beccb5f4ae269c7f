// SPDX-License-Identifier: BSD-3-Clause
// Two loops, of which the second reads slices of what the first one gives, round by round, are one loop (loop jamming):
// what is handed on is there for one round, where it would be memory for all of them. So a block of examples goes
// forward and backward through a program before the next one does. Read next: lane_regions.hpp.
#pragma once
#include "scans.hpp"

namespace etna::rewrite::jam {

/// The first two loops of a graph that may be one.
class pair {
 public:
  constexpr pair(graph const& g, int const* outputs, int n_out) : g_(g) {
    if (!g.has_wide || g.effects) return;
    for (int i = 0; i < g.n_nodes; ++i)
      for (int k = 0; k < g.nodes[i].operands; ++k) ++uses_.at[g.edges[g.nodes[i].edge + k]];
    for (int k = 0; k < n_out; ++k) ++uses_.at[outputs[k]];
    for (int i = 0; i < g.n_nodes && second < 0; ++i)
      if (is_loop(g.nodes[i])) find(i);
    if (second >= 0) mark_needed();
  }
  int first = -1, second = -1;  // nodes
  /// What the second one reads that stands behind the first one.
  constexpr bool is_before(int i) const { return needed_.at[g_.nodes[i].value]; }
  /// Does anything but the second one read result k of the first one?
  constexpr bool is_read(int k) const {
    return uses_.at[g_.nodes[first].value + k] > slices_of(g_.nodes[first].value + k, g_.nodes[second]);
  }

 private:
  graph const& g_;
  tracing::zeros<int> uses_;     // by value
  tracing::zeros<int> depends_;  // by value: on the loop of this node + 1
  tracing::zeros<bool> needed_;  // by value: of the second one, between both

  constexpr scan_words words_of(node_info const& n) const { return words_of_loop(g_, n); }
  /// How many of the slices of n are those of this value.
  constexpr int slices_of(int id, node_info const& n) const {
    scan_words const h = words_of(n);
    int found = 0;
    for (int k = h.captured + h.carry; k < n.operands; ++k) found += g_.edges[n.edge + k] == id;
    return found;
  }
  /// The loop behind i that may be one with it.
  constexpr void find(int i) {
    node_info const& a = g_.nodes[i];
    scan_words const f = words_of(a);
    auto is_slice = [&](int id) { return id >= a.value + f.carry && id < a.value + a.results; };
    bool any = false;
    for (int j = i + 1; j < g_.n_nodes && !any; ++j) any = is_loop(g_.nodes[j]) && hands_on(a, g_.nodes[j]);
    if (!any) return;
    for (int k = 0; k < a.results; ++k) depends_.at[a.value + k] = i + 1;
    for (int j = i + 1; j < g_.n_nodes && second < 0; ++j) {
      node_info const& b = g_.nodes[j];
      int const slices = is_loop(g_.nodes[j]) ? words_of(b).captured + words_of(b).carry : b.operands;
      bool meets = false, follows = false;  // otherwise than by slices; at all
      for (int k = 0; k < b.operands; ++k) {
        int const id = g_.edges[b.edge + k];
        follows = follows || depends_.at[id] == i + 1;
        meets = meets || (depends_.at[id] == i + 1 && !(k >= slices && is_slice(id)));
      }
      if (!follows) continue;
      if (!meets && is_loop(g_.nodes[j]) && hands_on(a, b) && words_of(b).length == f.length &&
          (f.carry == 0 || words_of(b).carry == 0)) {
        first = i;
        second = j;
      }
      for (int k = 0; k < b.results; ++k) depends_.at[b.value + k] = i + 1;
    }
  }
  /// Is something of a read by nothing but slices of b?
  constexpr bool hands_on(node_info const& a, node_info const& b) const {
    for (int k = words_of(a).carry; k < a.results; ++k)
      if (int const n = slices_of(a.value + k, b); n > 0 && n == uses_.at[a.value + k]) return true;
    return false;
  }
  constexpr void mark_needed() {
    for (int i = second; i > first; --i) {
      node_info const& n = g_.nodes[i];
      bool wanted = i == second;
      for (int k = 0; k < n.results; ++k) wanted = wanted || needed_.at[n.value + k];
      for (int k = 0; k < n.operands && wanted; ++k) needed_.at[g_.edges[n.edge + k]] = true;
      for (int k = 0; k < n.results && wanted; ++k) needed_.at[n.value + k] = true;
    }
  }
};

/// Both loops as one, in a graph that has all that they read. Whoever has no carry goes the other one's way.
class joined {
 public:
  constexpr joined(graph const& from, pair const& p)
      : from_(from), p_(p), a_(from.nodes[p.first]), b_(from.nodes[p.second]) {}

  constexpr void write(writer& w) {
    graph& to = w.to;
    scan_words const f = words_of_loop(from_, a_), s = words_of_loop(from_, b_);
    int const n_in = f.carry + f.xs + s.carry + s.xs, n_out = a_.results + b_.results;
    ops::var_list operands(n_in), block_in(n_in), block_out(n_out), args(f.carry + f.xs),
        args_of_second(s.carry + s.xs), outs(a_.results), outs_of_second(b_.results);
    auto input = [&](node_info const& n, int k, bool is_slice) {
      operands.push(operand(w, n, k));
      tensor_type const t = type_of(operands[operands.n - 1]);
      block_in.push(ops::argument(&to, is_slice ? ops::slice_type(t) : t));
      return block_in[block_in.n - 1];
    };
    ops::nested_equation whole(to, 1);
    {
      ops::region r(to);
      for (int k = 0; k < f.carry; ++k) args.push(input(a_, f.captured + k, false));
      for (int k = 0; k < s.carry; ++k) args_of_second.push(input(b_, s.captured + k, false));
      for (int k = 0; k < f.xs; ++k) args.push(input(a_, f.captured + f.carry + k, true));
      unpack(w, a_, args, outs);
      for (int k = s.captured + s.carry; k < b_.operands; ++k) {
        int const id = from_.edges[b_.edge + k], y = id - a_.value;
        if (y >= 0 && y < a_.results) {
          args_of_second.push(outs[y]);
          continue;
        }
        int same = f.captured + f.carry;
        while (same < a_.operands && from_.edges[a_.edge + same] != id) ++same;
        args_of_second.push(same < a_.operands ? args[same - f.captured] : input(b_, k, true));
      }
      unpack(w, b_, args_of_second, outs_of_second);
      for (int k = 0; k < f.carry; ++k) block_out.push(outs[k]);
      for (int k = 0; k < s.carry; ++k) block_out.push(outs_of_second[k]);
      for (int k = f.carry; k < a_.results; ++k)
        if (p_.is_read(k)) block_out.push(outs[k]);
      for (int k = s.carry; k < b_.results; ++k) block_out.push(outs_of_second[k]);
      whole.pack(r, block_in, block_out);
    }
    int const carry = f.carry + s.carry;
    int y = scan_p::write(
        whole,
        {f.length, f.carry > 0 ? f.reverse : s.reverse, false, 0, carry, operands.n - carry, block_out.n - carry},
        operands);
    int const ys = y + carry;
    ops::var_list of_first(a_.results), of_second(b_.results);
    for (int k = 0, at = ys; k < a_.results; ++k) of_first.push({&to, k < f.carry ? y + k : p_.is_read(k) ? at++ : y});
    for (int k = 0; k < b_.results; ++k)
      of_second.push({&to, k < s.carry ? y + f.carry + k : ys + block_out.n - carry - b_.results + k});
    first = in_a_row(w, of_first);
    second = in_a_row(w, of_second);
  }
  int first = 0, second = 0;  // the first results of both

 private:
  graph const& from_;
  pair const& p_;
  node_info const &a_, &b_;

  constexpr tracing::var operand(writer& w, node_info const& n, int k) const {
    return {&w.to, w.map[from_.edges[n.edge + k]] - 1};
  }
  constexpr void unpack(writer& w, node_info const& n, ops::var_list const& args, ops::var_list& outs) const {
    ops::scratch_frame in(w.to, n.operands);
    for (int k = 0; k < n.operands; ++k) in[k] = w.map[from_.edges[n.edge + k]] - 1;
    unpack_loop(w, from_, n, in.data(), args, outs);
  }
};

/// The pass.
constexpr bool pass(subject& s, graph& to, int* outputs) {
  graph const& g = *s.g;
  pair const p(g, s.outputs, s.n_out);
  if (p.second < 0) return false;
  joined both(g, p);
  rewrite(
      g, to, s.outputs, s.n_out, outputs,
      [&](writer& w, graph const& from, node_info const& n, int* in) {
        int const i = int(&n - from.nodes);
        if (i == p.second) return both.second;
        if (i != p.first) return keep(w, from, n, in);
        for (int j = i + 1; j < p.second; ++j) {
          if (!p.is_before(j)) continue;
          node_info const& m = from.nodes[j];
          ops::scratch_frame ids(w.to, m.operands);
          for (int k = 0; k < m.operands; ++k) ids[k] = w.map[from.edges[m.edge + k]] - 1;
          int const y = keep(w, from, m, ids.data());  // met again, it is there
          for (int k = 0; k < m.results; ++k) w.map[m.value + k] = y + k + 1;
        }
        both.write(w);
        return both.first;
      },
      no_more);
  return true;
}

}  // namespace etna::rewrite::jam
