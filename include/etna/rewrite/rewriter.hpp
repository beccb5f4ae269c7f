// SPDX-License-Identifier: BSD-3-Clause
// A graph written anew: equal equations are written once (hash-consing), and a pass is a walk that
// says for each equation what to write instead. Near linear, no allocation. Read next: simplify.hpp.
#pragma once
#include <etna/ops/table.hpp>

namespace etna::rewrite {

using ops::code;
using trace::graph;
using trace::node_info;

/// Writes equations to a graph, each once.
class writer {
 public:
  constexpr writer(graph& to, int* table, int slots) : to_(to), table_(table), slots_(slots) {
    for (int i = 0; i < slots; ++i) table[i] = -1;
  }
  constexpr graph& target() const { return to_; }

  /// The first result of `op in...`, found or written.
  constexpr int write(int op, int const* in, int n, std::int64_t const* attr, int n_attr,
                      tensor_type const* out, int n_out) {
    std::uint64_t h = 1469598103934665603ull;
    auto mix = [&](std::uint64_t v) {
      h = (h ^ v) * 1099511628211ull;
      h ^= h >> 29;
    };
    mix(std::uint64_t(op));
    for (int k = 0; k < n; ++k) mix(std::uint64_t(in[k]));
    for (int k = 0; k < n_attr; ++k) mix(std::uint64_t(attr[k]));
    mix(std::uint64_t(out[0].rank * 16 + int(out[0].d)));
    for (int k = 0; k < out[0].rank; ++k) mix(std::uint64_t(out[0].e[k]));
    int s = int(h % std::uint64_t(slots_));
    while (table_[s] >= 0) {
      if (same(to_.nodes[table_[s]], op, in, n, attr, n_attr, out)) return to_.nodes[table_[s]].value;
      s = s + 1 == slots_ ? 0 : s + 1;
    }
    table_[s] = to_.n_nodes;
    return to_.append(op, 0, in, n, attr, n_attr, out, n_out);
  }
  /// Written again even where an equal one is there (copies that give a result its own memory).
  constexpr int write_new(int op, int in, tensor_type const& out) {
    return to_.append(op, 0, &in, 1, nullptr, 0, &out, 1);
  }

 private:
  graph& to_;
  int* table_;
  int slots_;
  constexpr bool same(node_info const& m, int op, int const* in, int n, std::int64_t const* attr, int n_attr,
                      tensor_type const* out) const {
    if (m.op != op || m.operands != n || m.attrs != n_attr || !(to_.values[m.value].type == out[0])) return false;
    for (int k = 0; k < n; ++k)
      if (to_.edges[m.edge + k] != in[k]) return false;
    for (int k = 0; k < n_attr; ++k)
      if (to_.attrs[m.attr + k] != attr[k]) return false;
    return op != code<ops::input_p>;
  }
};

/// Walk the live equations that really run (level 0) and write each by `rule(writer, from, node, in)`,
/// where `in` are its operands in the new graph; the rule returns the first result.
/// At the end `finish(writer, new_outputs)` may write more.
template <class Rule, class Finish>
constexpr void rewrite(graph const& from, graph& to, int const* outputs, int n_out, int* new_outputs, int* scratch,
                       int n_scratch, Rule rule, Finish finish) {
  int* map = scratch;  // old value -> new value; before the walk, 1 marks what is needed
  for (int i = 0; i < from.n_values; ++i) map[i] = -1;
  for (int i = 0; i < n_out; ++i) map[outputs[i]] = 1;
  for (int i = from.n_nodes - 1; i >= 0; --i) {
    node_info const& n = from.nodes[i];
    // arguments stay, used or not; a tangent that was never known (number -1) and examples of a vmap go
    bool live = n.op == code<ops::input_p> && n.level == 0 && from.attrs[n.attr] >= 0;
    for (int k = 0; k < n.results; ++k) live = live || map[n.value + k] == 1;
    if (!live) continue;
    for (int k = 0; k < n.operands; ++k) map[from.edges[n.edge + k]] = 1;
    for (int k = 0; k < n.results; ++k) map[n.value + k] = 1;
  }
  writer w(to, scratch + from.n_values, n_scratch - from.n_values);
  for (int i = 0; i < from.n_nodes; ++i) {
    node_info const& n = from.nodes[i];
    if (map[n.value] != 1 || n.level > 0) continue;
    int in[trace::max_operands]{};
    for (int k = 0; k < n.operands; ++k) in[k] = map[from.edges[n.edge + k]];
    int first = rule(w, from, n, in);
    for (int k = 0; k < n.results; ++k) map[n.value + k] = first + k;
  }
  for (int i = 0; i < n_out; ++i) new_outputs[i] = map[outputs[i]];
  finish(w, new_outputs);
}

/// The rule that changes nothing: dead equations go, equal ones become one.
constexpr int keep(writer& w, graph const& from, node_info const& n, int const* in) {
  tensor_type out[trace::max_results]{};
  for (int k = 0; k < n.results; ++k) out[k] = from.values[n.value + k].type;
  return w.write(n.op, in, n.operands, from.attrs + n.attr, n.attrs, out, n.results);
}

}  // namespace etna::rewrite
