// SPDX-License-Identifier: BSD-3-Clause
// Arrays that are put together from pieces, as stack and concatenate do: updates of a constant, one after the other,
// until nothing of the constant is left. Where many elements lie in short runs, whoever computes one writes it where it
// belongs, and putting them together is no step. Read next: legalize.hpp.
#pragma once
#include <etna/tuning.hpp>

#include "view.hpp"

namespace etna::rewrite {

/// Is a value one number everywhere, also where it has been given memory?
constexpr bool is_constant(graph const& g, int id) {
  node_info const* n = &g.nodes[g.values[id].node];
  if (n->op == code<ops::copy_p>) n = &g.nodes[g.values[g.edges[n->edge]].node];
  return n->op == code<ops::full_p>;
}

/// The chains of updates that put arrays together.
class joined_pieces {
 public:
  constexpr joined_pieces(graph const& g, int const* outputs, int n_out) : g_(g) {
    bool any = false;
    for (int i = 0; i < g.n_nodes && !any; ++i) any = g.nodes[i].op == code<ops::update_p>;
    if (!any) return;
    for (int k = 0; k < n_out; ++k) uses_.at[outputs[k]] += 2, is_result_.at[outputs[k]] = true;
    for (int i = g.n_nodes - 1; i >= 0; --i) {  // what nobody needs, a pass may have left
      node_info const& n = g.nodes[i];
      bool needed = n.effect != 0;
      for (int k = 0; k < n.results; ++k) needed = needed || uses_.at[n.value + k] > 0;
      for (int k = 0; k < n.operands && needed; ++k) ++uses_.at[g.edges[n.edge + k]];
    }
    for (int i = 0; i < g.n_nodes; ++i)
      if (g.nodes[i].op == code<ops::update_p> && g.nodes[i].level == 0) look(i);
  }
  /// The last update of the chain that update i belongs to; -1: none.
  constexpr int last(int i) const { return last_.at[i] - 1; }
  constexpr bool any() const { return any_; }
  /// Has a value one reader, and is it no result?
  constexpr bool is_used_once(int id) const { return uses_.at[id] == 1; }
  /// What computes a piece, perhaps behind reshapes that only add axes of one element, and may write it where it
  /// belongs, since nobody else needs it: its value; -1: nothing does.
  constexpr int writer_of(int piece) const { return computed(piece, true); }

 private:
  graph const& g_;
  bool any_ = false;
  tracing::zeros<int> uses_;  // by value
  tracing::zeros<bool> is_result_;
  tracing::zeros<int> links_;  // by node: updates of a chain up to this one
  tracing::zeros<int> last_;   // by node: the last of its chain + 1

  constexpr int computed(int piece, bool for_nothing_else) const {
    for (;;) {
      node_info const& n = g_.nodes[g_.values[piece].node];
      if (n.results != 1 || (for_nothing_else && !is_used_once(piece))) return -1;
      ops::form const f = ops::table.at[n.op].form;
      if (f == ops::form::pointwise || f == ops::form::convert || f == ops::form::reduction) return piece;
      int const x = g_.edges[n.edge];
      if (f != ops::form::reshape || !same_squeezed(g_.values[x].type, g_.values[piece].type)) return -1;
      piece = x;
    }
  }
  constexpr tensor_type const& piece(int i) const { return g_.values[g_.edges[g_.nodes[i].edge + 1]].type; }
  constexpr int under(int i) const { return g_.values[g_.edges[g_.nodes[i].edge]].node; }
  constexpr ops::update_dim at(int i, int axis) const {
    return ops::update_dim::read(g_.attrs + g_.nodes[i].attr, axis);
  }
  /// Elements that lie in a row. Axes with names are whole.
  constexpr extent run(int i, tensor_type const& whole) const {
    extent n = 1;
    for (int a = whole.rank - 1; a >= 0 && n < tuning::patch::least_run; --a) {
      extent const e = piece(i).e[a];
      if (e < 0) return tuning::patch::least_run;
      if (at(i, a).step != 1 && e > 1) return 1;
      n *= e;
      if (e != whole.e[a]) break;
    }
    return n;
  }
  /// Elements, without axes that have names and are whole; -1: such an axis is not whole.
  static constexpr extent elements(tensor_type const& part, tensor_type const& whole) {
    extent n = 1;
    for (int a = 0; a < whole.rank; ++a)
      if (part.e[a] >= 0 && whole.e[a] >= 0) n *= part.e[a];
      else if (part.e[a] != whole.e[a]) return -1;
    return n;
  }
  constexpr void look(int i) {
    node_info const& n = g_.nodes[i];
    tensor_type const& whole = g_.values[n.value].type;
    int const below = under(i);
    bool const follows = links_.at[below] > 0 && is_used_once(g_.edges[n.edge]);
    extent const mine = elements(piece(i), whole);
    if (mine <= 0) return;
    if (whole.is_static() && whole.size() < tuning::patch::least) return;
    for (int k = 0; k < whole.rank; ++k)  // where a piece begins is a number only where no axis behind has a name
      for (int b = k + 1; b < whole.rank; ++b)
        if (whole.e[b] < 0 && at(i, k).start != 0) return;
    if (!follows && !is_constant(g_, g_.edges[n.edge])) return;
    int const links = follows ? links_.at[below] + 1 : 1;
    if (links > tuning::most_pieces) return;
    extent all = mine;
    bool are_written = is_result_.at[n.value] && computed(g_.edges[n.edge + 1], false) >= 0;
    auto in_short_runs = [&](int k) {
      return run(k, whole) < tuning::patch::least_run ? elements(piece(k), whole) : 0;
    };
    extent in_short = in_short_runs(i);
    int j = i;
    for (int k = 1; k < links; ++k) {
      j = under(j);
      if (!are_apart(g_, g_.nodes[i], g_.nodes[j])) return;
      all += elements(piece(j), whole);
      in_short += in_short_runs(j);
      are_written = are_written && computed(g_.edges[g_.nodes[j].edge + 1], false) >= 0;
    }
    links_.at[i] = links;
    if (links < 2 || all != elements(whole, whole) || (in_short * tuning::patch::few < all && !are_written)) return;
    any_ = true;
    j = i;
    for (int k = 0; k < links; ++k, j = under(j)) last_.at[j] = i + 1;
  }
};

}  // namespace etna::rewrite
