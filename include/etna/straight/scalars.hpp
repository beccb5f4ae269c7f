// SPDX-License-Identifier: BSD-3-Clause
// A function of small arrays as straight-line code: its equations of single numbers as a constant, each with a
// place among the values of its element type. Read next: ../lower/straight.hpp.
#pragma once
#include <etna/compiler/program.hpp>
#include <etna/planning/inlining.hpp>

#include "scalarize.hpp"

namespace etna::straight {

using compiler::picture;
using compiler::trace_of;
using compiler::transient;
using tracing::bounded_graph;

/// One number computed from up to three.
struct scalar_equation {
  int op;
  dtype d, from;      // of the result, of the last operand
  int n, in[3];       // operands: equations before
  int slot;           // among the values of its element type
  int node;           // of the graph, in whose order they were written
  std::int64_t bits;  // of a constant; of an input its place among all elements of the arguments
};

template <int Equations, int Outputs> struct scalar_code {
  scalar_equation at[Equations];
  int outputs[Outputs];
  int n, n_outputs;
  int slots[dtype_count];
  int flops;
  int wrong, op;  // an error's number, and the primitive that it is about
};
/// Straight-line code longer than this is refused: it would take minutes to compile.
inline constexpr int most_scalars = tuning::straight::most_equations;
using scalar_code_in_work = scalar_code<most_scalars, tracing::most_nodes>;

/// Calls of the mathematical library as late as they may be, and those that may be together: what needs none of them is
/// then computed before, while it is in registers and beside one another. Equations have one value each here.
///
/// outputs   what they are; an element of an argument that nothing needs is left out
/// returns   how many there are
constexpr int put_in_order(graph const& g, int const* outputs, int n_out, int* order) {
  tracing::zeros<int, most_scalars> key;
  tracing::zeros<char, most_scalars> used;
  for (int i = 0; i < g.n_edges; ++i) used.at[g.edges[i]] = 1;
  for (int i = 0; i < n_out; ++i) used.at[outputs[i]] = 1;
  int keys = 1;
  for (int i = 0; i < g.n_nodes; ++i) {
    node_info const& n = g.nodes[i];
    int k = 0;
    for (int j = 0; j < n.operands; ++j)
      if (int before = key.at[g.edges[n.edge + j]]; before > k) k = before;
    if (ops::table.at[n.op].flops >= tuning::straight::call)
      k += 1 + k % 2;  // odd: the calls of a level; even: what needs them
    else k += k % 2;
    key.at[i] = k;
    if (k + 1 > keys) keys = k + 1;
  }
  // a counting sort, which keeps the order of equals
  tracing::zeros<int, most_scalars + 2> start;
  int n = 0;
  for (int i = 0; i < g.n_nodes; ++i)
    if (used.at[i]) ++start.at[key.at[i] + 1], ++n;
  for (int k = 0; k < keys; ++k) start.at[k + 1] += start.at[k];
  for (int i = 0; i < g.n_nodes; ++i)
    if (used.at[i]) order[start.at[key.at[i]]++] = i;
  return n;
}

constexpr void make_scalars(graph const& simple, int const* outputs, int n_outputs, scalar_code_in_work& code_of) {
  bounded_graph scalar, live;
  tracing::zeros<int> scalars, kept, base;
  tracing::zeros<int, scalarizer::room> elements;
  tracing::zeros<char> marks;
  scalarizer s(simple, scalar.g, base.at, elements.at, marks.at);
  code_of.wrong = s.run(code_of.op);
  if (code_of.wrong) return;
  int n_out = 0;
  for (int k = 0; k < n_outputs; ++k) {
    extent size = simple.values[outputs[k]].type.size();
    for (extent i = 0; i < size; ++i) scalars.at[n_out++] = s.element(outputs[k], i);
  }
  rewrite::rewrite(scalar.g, live.g, scalars.at, n_out, kept.at, rewrite::keep, rewrite::no_more);
  graph const& g = live.g;
  if (g.n_nodes > most_scalars) {
    code_of.wrong = 63;
    return;
  }
  tracing::zeros<int, most_scalars + 1> order, place;
  int count = put_in_order(g, kept.at, n_out, order.at);
  for (int i = 0; i < count; ++i) place.at[order.at[i]] = i;
  for (int i = 0; i < count; ++i) {
    node_info const& n = g.nodes[order.at[i]];
    scalar_equation& e = code_of.at[i];
    e.op = n.op;
    e.d = g.values[n.value].type.d;
    e.n = n.operands;
    for (int k = 0; k < n.operands; ++k) e.in[k] = place.at[g.edges[n.edge + k]];
    e.from = n.operands > 0 ? g.values[g.edges[n.edge + n.operands - 1]].type.d : e.d;
    e.slot = code_of.slots[int(e.d)]++;
    e.node = order.at[i];
    if (n.attrs > 0) e.bits = g.attrs[n.attr];
    code_of.flops += ops::table.at[n.op].flops;
  }
  code_of.n = count;
  code_of.n_outputs = n_out;
  for (int i = 0; i < n_out; ++i) code_of.outputs[i] = place.at[kept.at[i]];
}

/// The straight-line code of the trace that Source::get() gives, as a constant.
template <class Source> struct scalars_from {
  struct made : scalar_code_in_work {
    constexpr made() : scalar_code_in_work{} {
      picture const& traced = Source::get();
      tracing::graph const g = traced.graph();
      compiler::graph_rooms rooms;
      rewrite::subject const s = compiler::run_graph_passes(g, traced.outputs, traced.n_outputs, false, rooms,
                                                            compiler::chosen.up_to(compiler::number_of("associate")));
      make_scalars(*s.g, s.outputs, traced.n_outputs, *this);
    }
  };
  struct counts {
    int n, outputs;
  };
  static constexpr counts count(scalar_code_in_work const& c) { return {c.n + 1, c.n_outputs + 1}; }
  static constexpr auto tighten(scalar_code_in_work const& c) {
    constexpr counts m = count(transient<made>::get());
    scalar_code<m.n, m.outputs> t{};
    t.n = c.n;
    t.n_outputs = c.n_outputs;
    t.flops = c.flops;
    t.wrong = c.wrong;
    t.op = c.op;
    for (int i = 0; i < c.n; ++i) t.at[i] = c.at[i];
    for (int i = 0; i < c.n_outputs; ++i) t.outputs[i] = c.outputs[i];
    for (int i = 0; i < dtype_count; ++i) t.slots[i] = c.slots[i];
    return t;
  }
  static constexpr auto value = tighten(transient<made>::get());
};
template <class F, class... P> using scalars = scalars_from<trace_of<F, P...>>;

/// The straight-line code of a program, and whether it is run.
template <class F, class... P> struct straight_program {
  using code = scalars_from<typename compiler::planned<F, P...>::trace>;
  static constexpr bool is_run = [] {
    constexpr extent most = planning::straight_limit(planning::plan(compiler::program<F, P...>::value));
    if constexpr (most == 0) return false;
    else return code::value.wrong == 0 && code::value.n + code::value.flops <= most;
  }();
};

}  // namespace etna::straight
