// SPDX-License-Identifier: BSD-3-Clause
// A graph written anew, step by step of its plan, with copies of what is computed again (recompute.hpp).
// Read next: ../compiler/compile.hpp.
#pragma once
#include "recompute.hpp"

namespace etna::planning {

/// Writes the graph of a planned frame to another one, which is empty.
///
/// after   by node of the new graph, zeros: a copy -> the node + 1 behind which it is computed
class copier {
  graph const& g_;
  view const* v_;
  recomputation const& r_;
  graph& to_;
  int* after_;
  tracing::zeros<int> map_, copy_;          // by value: what it is in the new graph, and its copy there, + 1
  tracing::zeros<int> inner_, inner_of_;    // the copy of what is no memory, and for which value, + 1
  tracing::zeros<int> head_, tail_, next_;  // lists of nodes by step, + 1
  int scope_ = 0;

  /// Write the equation on what `operand` gives for each; note its results.
  template <class Operand> constexpr int write_node(node_info const& n, int* results, Operand operand) {
    int* const in = new int[std::size_t(n.operands + 1)];
    for (int k = 0; k < n.operands; ++k) in[k] = operand(g_.edges[n.edge + k]);
    auto* const types = new tensor_type[std::size_t(n.results + 1)];
    for (int k = 0; k < n.results; ++k) types[k] = g_.values[n.value + k].type;
    if (n.scope != scope_) {
      to_.scope = n.scope ? tracing::copy_scope(to_, to_.scopes, 0, tracing::block{&g_, 0}, n.scope) : 0;
      scope_ = n.scope;
    }
    to_.derived = n.derived;
    int const first = to_.append(n.op, 0, in, n.operands, g_.attrs + n.attr, n.attrs, types, n.results);
    if (n.effect) rewrite::keep_effect(to_, n.op, first);
    for (int k = 0; k < n.results; ++k) results[n.value + k] = first + k + 1;
    delete[] types;
    delete[] in;
    return first;
  }
  constexpr node_info const& node_of(int id) const { return g_.nodes[g_.values[id].node]; }
  /// The value itself.
  constexpr int get(int id) {
    if (map_.at[id] == 0) write_node(node_of(id), map_.at, [&](int x) { return get(x); });
    return map_.at[id] - 1;
  }
  /// What step s reads of it: itself, or the copy.
  constexpr int read(int id, int s) {
    int const from = r_.from[v_[id].root];
    return from && s + 1 >= from ? copy(id) : get(id);
  }
  constexpr int copy(int id) {
    if (copy_.at[id]) return copy_.at[id] - 1;
    int const root = v_[id].root, s = r_.from[root] - 1;
    if (id != root) return write_node(node_of(id), copy_.at, [&](int x) { return copy(x); });
    int const first = write_node(node_of(id), copy_.at, [&](int x) { return inner(x, s, id); });
    wait(first, s);
    return first;
  }
  /// What the copy of `whole` reads, which is computed for step s: of what is no memory, a copy of its own.
  constexpr int inner(int id, int s, int whole) {
    int const root = v_[id].root;
    if (r_.is_memory[root] || r_.step[g_.values[root].node] == 0) return read(id, s);
    if (inner_of_.at[id] == whole + 1) return inner_.at[id] - 1;
    int const first = write_node(node_of(id), inner_.at, [&](int x) { return inner(x, s, whole); });
    inner_of_.at[id] = whole + 1;
    if (id == root) wait(first, s);
    return first;
  }
  constexpr void wait(int copy, int s) {
    if (int const value = r_.after[s]) after_[to_.values[copy].node] = to_.values[get(value - 1)].node + 1;
  }

 public:
  constexpr copier(graph const& g, view const* v, recomputation const& r, graph& to, int* after)
      : g_(g), v_(v), r_(r), to_(to), after_(after) {
    to.has_wide = g.has_wide;
  }
  constexpr void write(int const* outputs, int n_out, int* new_outputs) {
    int last = 0;
    for (int i = 0; i < g_.n_nodes; ++i) {
      if (g_.nodes[i].op == code<ops::input_p>) get(g_.nodes[i].value);
      int const s = r_.step[i] - 1;
      if (s < 0) continue;
      (tail_.at[s] ? next_.at[tail_.at[s] - 1] : head_.at[s]) = i + 1;
      tail_.at[s] = i + 1;
      last = std::max(last, s);
    }
    for (int s = 0; s <= last; ++s)
      for (int j = head_.at[s]; j > 0; j = next_.at[j - 1]) {
        node_info const& n = g_.nodes[j - 1];
        if (n.results == 0 || map_.at[n.value] == 0) write_node(n, map_.at, [&](int id) { return read(id, s); });
      }
    for (int k = 0; k < n_out; ++k) new_outputs[k] = get(outputs[k]);
    to_.scope = 0;
    to_.derived = false;
  }
};

}  // namespace etna::planning
