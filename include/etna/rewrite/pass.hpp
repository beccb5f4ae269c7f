// SPDX-License-Identifier: BSD-3-Clause
// What a pass from graph to graph is: a function of a graph that writes another one, or says that there is nothing to
// do. The list of them, in order, is ../compiler/passes.hpp.
#pragma once
#include <etna/tuning.hpp>

#include "view.hpp"

namespace etna::rewrite {

/// A graph between two passes.
struct subject {
  graph const* g;
  int const* outputs;
  int n_out;
  bool in_block;      // of a loop or a branch: what its arguments are, nobody knows here
  view* views;        // zeros; the last pass says there how each value is read
  view* other_views;  // zeros
};

/// One pass.
///
/// run      writes the graph anew to `to`, which is empty, and what is wanted of it to `outputs`; or returns false, and
///          has written nothing
/// without  what is run in its place where ETNA_WITHOUT names it
/// again    once it has written something, the passes go on from the one of this name
/// is_once  and it is not run a second time then
struct graph_pass {
  const char* name;
  bool (*run)(subject&, graph& to, int* outputs);
  bool is_optional = false;
  tracing::maybe<bool(subject&, graph& to, int* outputs)> without{};
  const char* again = nullptr;
  bool is_once = false;
};

/// The pass that changes nothing but drops what is dead and writes equal equations once.
constexpr bool keep_live(subject& s, graph& to, int* outputs) {
  rewrite(*s.g, to, s.outputs, s.n_out, outputs, keep, no_more);
  return true;
}
/// The pass of a rule for some equations: does any meet its condition?
///
/// applies  applies(graph, node)
template <class Applies, class Rule>
constexpr bool rewrite_where(subject& s, graph& to, int* outputs, Applies applies, Rule rule) {
  for (int i = 0; i < s.g->n_nodes; ++i) {
    if (!applies(*s.g, s.g->nodes[i])) continue;
    rewrite(*s.g, to, s.outputs, s.n_out, outputs, rule, no_more);
    return true;
  }
  return false;
}

}  // namespace etna::rewrite
