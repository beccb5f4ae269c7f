// SPDX-License-Identifier: BSD-3-Clause
// A graph written anew: equal equations are written once (hash-consing), and a pass is a walk that
// says for each equation what to write instead. Near linear, no allocation. These walks run in the
// compiler, where a call costs more than what it does: hot loops read members. Read next: term.hpp.
#pragma once
#include <etna/ops/table.hpp>

namespace etna::rewrite {

using ops::code;
using tracing::graph;
using tracing::node_info;

/// Writes equations to a graph, each once.
class writer {
 public:
  /// table, slots   zeros, more than the equations to come
  constexpr writer(graph& to, int* table, int slots) : to(to), table_(table), slots_(slots) {}
  graph& to;
  int* map = nullptr;  // by value of the graph that is read: what it is here, + 1
  bool anew = false;   // also where there is an equal one: an equation with an effect

  /// The first result of `op in...`, found or written.
  constexpr int write(int op, int const* in, int n, std::int64_t const* attr, int n_attr, tensor_type const* out,
                      int n_out) {
    int s = slot(op, in, n, attr, n_attr, out);
    if (table_[s] > 0) {
      node_info& there = to.nodes[table_[s] - 1];
      if (!to.derived) there.derived = false;  // it is the program's, too
      return there.value;
    }
    table_[s] = to.n_nodes + 1;
    return to.append(op, 0, in, n, attr, n_attr, out, n_out);
  }
  /// Is it there?
  constexpr bool has(int op, int const* in, int n, std::int64_t const* attr, int n_attr, tensor_type const* out) const {
    return table_[slot(op, in, n, attr, n_attr, out)] > 0;
  }
  /// The same of any number of operands and results, of these types.
  constexpr int write_wide(int op, int const* in, int n, std::int64_t const* attr, int n_attr, tensor_type const* out,
                           int n_out) {
    std::uint64_t h = std::uint64_t(op);
    for (int k = 0; k < n; ++k) h = h * 0x9e3779b97f4a7c15u + std::uint64_t(in[k]);
    for (int k = 0; k < ops::table.at[op].wide->words; ++k) h = h * 0x9e3779b97f4a7c15u + std::uint64_t(attr[k]);
    h *= 0x9e3779b97f4a7c15u;
    int s = int((h >> 24) % std::uint64_t(slots_));
    for (; table_[s] > 0; s = s + 1 == slots_ ? 0 : s + 1)
      if (!anew && same_wide(to.nodes[table_[s] - 1], op, in, n, attr, n_attr)) return to.nodes[table_[s] - 1].value;
    table_[s] = to.n_nodes + 1;
    return to.append(op, 0, in, n, attr, n_attr, out, n_out);
  }
  /// Written again even where an equal one is there (copies that give a result its own memory).
  constexpr int write_new(int op, int in, tensor_type const& out) {
    return to.append(op, 0, &in, 1, nullptr, 0, &out, 1);
  }

 private:
  int* table_;
  int slots_;
  /// Where an equation is in the table, or would be.
  constexpr int slot(int op, int const* in, int n, std::int64_t const* attr, int n_attr, tensor_type const* out) const {
    std::uint64_t h = std::uint64_t(op);
    for (int k = 0; k < n; ++k) h = h * 0x9e3779b97f4a7c15u + std::uint64_t(in[k]);
    for (int k = 0; k < n_attr; ++k) h = h * 0x9e3779b97f4a7c15u + std::uint64_t(attr[k]);
    if (n == 0)
      for (int k = 0; k < out[0].rank; ++k) h = h * 0x9e3779b97f4a7c15u + std::uint64_t(out[0].e[k]);
    h *= 0x9e3779b97f4a7c15u;
    int s = int((h >> 24) % std::uint64_t(slots_));
    for (; table_[s] > 0; s = s + 1 == slots_ ? 0 : s + 1)
      if (!anew && same(to.nodes[table_[s] - 1], op, in, n, attr, n_attr, out)) break;
    return s;
  }
  constexpr bool same_wide(node_info const& m, int op, int const* in, int n, std::int64_t const* attr,
                           int n_attr) const {
    if (m.op != op || m.operands != n) return false;
    for (int k = 0; k < n; ++k)
      if (to.edges[m.edge + k] != in[k]) return false;
    return ops::same_words(op, to.attrs + m.attr, m.attrs, attr, n_attr);
  }
  constexpr bool same(node_info const& m, int op, int const* in, int n, std::int64_t const* attr, int n_attr,
                      tensor_type const* out) const {
    if (m.op != op || m.operands != n || m.attrs != n_attr) return false;
    for (int k = 0; k < n; ++k)
      if (to.edges[m.edge + k] != in[k]) return false;
    for (int k = 0; k < n_attr; ++k)
      if (to.attrs[m.attr + k] != attr[k]) return false;
    return op != code<ops::input_p> && to.values[m.value].type == out[0];
  }
};

/// x with its axes in the order `perm`: itself, where that is its own order.
constexpr int transposed(writer& w, int x, std::int64_t const* perm) {
  tensor_type const from = w.to.values[x].type;
  tensor_type t = from;
  bool stays = true;
  for (int i = 0; i < t.rank; ++i) {
    t.e[i] = from.e[perm[i]];
    stays = stays && perm[i] == i;
  }
  return stays ? x : w.write(code<ops::transpose_p>, &x, 1, perm, t.rank, &t, 1);
}
constexpr int reshaped(writer& w, int x, tensor_type const& t) {
  ops::shape_words to(t);
  return w.write(code<ops::reshape_p>, &x, 1, to.a, to.n, &t, 1);
}
/// x as it meets each element of t. Its axes in the order `perm`: the first `ones` have one element and go, the others
/// lie at the axes `at` of t.
constexpr int spread(writer& w, int x, std::int64_t const* perm, int ones, int const* at, tensor_type const& t) {
  tensor_type line{t.d, w.to.values[x].type.rank - ones, {}};
  ops::broadcast_words to(t);
  for (int k = 0; k < line.rank; ++k) {
    line.e[k] = t.e[at[k]];
    to.put(at[k]);
  }
  x = transposed(w, x, perm);
  if (ones > 0) x = reshaped(w, x, line);
  return line.rank == t.rank ? x : w.write(code<ops::broadcast_p>, &x, 1, to.a, to.n, &t, 1);
}
/// Have the pieces that two updates put into arrays of one type no element in common?
constexpr bool are_apart(graph const& g, node_info const& i, node_info const& j) {
  tensor_type const &p = g.values[g.edges[i.edge + 1]].type, &q = g.values[g.edges[j.edge + 1]].type;
  for (int a = 0; a < p.rank; ++a) {
    auto const x = ops::update_dim::read(g.attrs + i.attr, a), y = ops::update_dim::read(g.attrs + j.attr, a);
    extent const m = p.e[a], n = q.e[a];
    if (m < 0 || n < 0) continue;
    if (x.start + (m - 1) * x.step < y.start || y.start + (n - 1) * y.step < x.start) return true;
    if (x.step == y.step && (x.start - y.start) % x.step != 0) return true;
  }
  return false;
}
/// What a value is a transpose of, perhaps of several; itself otherwise.
struct behind_transposes {
  int id;
  int axis[max_rank]{};  // of it, for each of the value's
  constexpr behind_transposes(graph const& g, int of) : id(of) {
    int const rank = g.values[of].type.rank;
    for (int i = 0; i < rank; ++i) axis[i] = i;
    for (;;) {
      node_info const& n = g.nodes[g.values[id].node];
      if (ops::table.at[n.op].form != ops::form::transpose) return;
      for (int i = 0; i < rank; ++i) axis[i] = int(g.attrs[n.attr + axis[i]]);
      id = g.edges[n.edge];
    }
  }
};

/// The equation that was written last, and stands for one with an effect, has it.
constexpr void keep_effect(graph& to, int op, int first) {
  node_info& n = to.nodes[first < to.n_values ? to.values[first].node : to.n_nodes - 1];
  if (n.op != op) return;  // written out as others
  n.effect = 1;
  to.effects = true;
  if (auto const r = ops::table.at[op].wide)
    for (int b = 0; b < r->blocks(to.attrs + n.attr); ++b)
      to.attrs[n.attr + to.attrs[n.attr + r->words + b] + 2] &= ~tracing::block::muted;
}

/// What a walk calls a value, before it is written, that some equation needs.
inline constexpr int needed = -1;
/// The equations that a walk writes: `live`. `acts` are those whose effect counts: not of what depends on a tangent
/// that stays unknown. The most operands that one of them has.
///
/// map    by value, zeros; what is needed is noted there
constexpr int find_live(graph const& from, int const* outputs, int n_out, int* map, bool* acts, bool* live) {
  for (int i = 0; i < n_out; ++i) map[outputs[i]] = needed;
  if (from.effects) {
    tracing::zeros<int> unknown;
    for (int i = 0; i < from.n_nodes; ++i) acts[i] = from.nodes[i].effect != 0;
    tracing::each_unknown(from, unknown.at, [&](node_info const& n) { acts[&n - from.nodes] = false; });
  }
  int most = tracing::max_operands;
  for (int i = from.n_nodes - 1; i >= 0; --i) {
    node_info const& n = from.nodes[i];
    // arguments stay, used or not; a tangent that was never known (number -1) and examples of a vmap go
    bool used = (from.effects && acts[i]) ||
                (n.op == code<ops::input_p> && n.level == 0 && n.attrs > 0 && from.attrs[n.attr] >= 0);
    for (int k = 0; k < n.results; ++k) used = used || map[n.value + k] == needed;
    if (!used) continue;
    live[i] = n.level == 0;
    if (n.operands > most) most = n.operands;
    for (int k = 0; k < n.operands; ++k) map[from.edges[n.edge + k]] = needed;
  }
  return most;
}
/// What a derivative keeps of a loop is a second loop with more results, which stands for both: `richer`, by node. The
/// number of loops and their like, which are listed in `wide`.
constexpr int find_richer(graph const& from, bool const* live, int* wide, int* richer) {
  int n_wide = 0;
  for (int i = 0; from.has_wide && i < from.n_nodes; ++i) {
    node_info const& n = from.nodes[i];
    if (!ops::table.at[n.op].wide.there || !live[i]) continue;
    for (int k = 0; k < n_wide; ++k)
      if (ops::extends(from, from.nodes[wide[k]], n)) richer[wide[k]] = i;
    wide[n_wide++] = i;
  }
  return n_wide;
}

/// Walk the live equations that really run (level 0) and write each by `rule(writer, from, node, in)`,
/// where `in` are its operands in the new graph (the rule may overwrite them); the rule returns the first result.
/// At the end `finish(writer, new_outputs)` may write more. `to` is empty, its scratch memory zero. A rule writes six
/// equations for each at most, on the whole; `more` is how many others there are to be room for.
template <class Rule, class Finish> constexpr void rewrite(graph const& from, graph& to, int const* outputs, int n_out,
                                                           int* new_outputs, Rule rule, Finish finish, int more = 0) {
  int* map = to.scratch;  // old value -> new value + 1; before the walk, what is needed
  tracing::zeros<bool> acts, live;
  tracing::zeros<int> wide, richer;
  int const most = find_live(from, outputs, n_out, map, acts.at, live.at),
            n_wide = find_richer(from, live.at, wide.at, richer.at);
  to.has_wide = from.has_wide;
  int slots = to.cap.scratch - from.n_values - most, enough = 6 * (from.n_nodes + more) + 1024;
  int* in = to.scratch + from.n_values;
  if (enough < slots) slots = enough;
  writer w(to, in + most, slots);
  w.map = map;
  to.n_scratch = from.n_values + most + slots;  // what a rule takes lies behind
  int scope = 0, outer = to.scope;
  for (int i = 0; i < from.n_nodes; ++i) {
    if (!live.at[i]) continue;
    node_info const &mine = from.nodes[i], &n = from.has_wide && richer.at[i] ? from.nodes[richer.at[i]] : mine;
    for (int k = 0; k < n.operands; ++k) in[k] = map[from.edges[n.edge + k]] - 1;
    if (mine.scope != scope) {
      scope = mine.scope;
      to.scope = tracing::copy_scope(to, to.scopes, outer, tracing::block{&from, 0}, scope);
    }
    to.derived = mine.derived;
    if (from.effects) w.anew = acts.at[i];
    int first = rule(w, from, n, in);
    if (w.anew) keep_effect(to, n.op, first);
    for (int k = 0; k < mine.results; ++k) map[mine.value + k] = first + k + 1;
    if (!from.has_wide || !richer.at[i]) continue;
    for (int k = 0; k < n_wide; ++k)  // it stands for all that it extends
      if (int j = wide.at[k]; j == richer.at[i] || richer.at[j] == richer.at[i]) {
        for (int q = 0; q < from.nodes[j].results; ++q) map[from.nodes[j].value + q] = first + q + 1;
        live.at[j] = false;
      }
  }
  to.scope = outer;
  to.derived = false;
  w.anew = false;
  for (int i = 0; i < n_out; ++i) new_outputs[i] = map[outputs[i]] - 1;
  finish(w, new_outputs);
}

constexpr auto no_more = [](writer&, int*) {};

/// The same equation on operands of the new graph, with these attributes.
constexpr int write_again(writer& w, graph const& from, node_info const& n, int const* in, std::int64_t const* attr) {
  // the results of a node follow one another, and so do their types where there is one
  bool wide = from.has_wide && ops::table.at[n.op].wide.there;
  if (n.results == 1 && !wide) return w.write(n.op, in, n.operands, attr, n.attrs, &from.values[n.value].type, 1);
  auto* types = new tensor_type[std::size_t(n.results)];
  for (int k = 0; k < n.results; ++k) types[k] = from.values[n.value + k].type;
  int first = wide ? w.write_wide(n.op, in, n.operands, attr, n.attrs, types, n.results)
                   : w.write(n.op, in, n.operands, attr, n.attrs, types, n.results);
  delete[] types;
  return first;
}
/// The rule that changes nothing: dead equations go, equal ones become one.
constexpr int keep(writer& w, graph const& from, node_info const& n, int const* in) {
  return write_again(w, from, n, in, from.attrs + n.attr);
}

}  // namespace etna::rewrite
