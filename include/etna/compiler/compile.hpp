// SPDX-License-Identifier: BSD-3-Clause
// From a trace to a plan, by the passes of passes.hpp; the blocks of loops and branches become frames of the plan.
#pragma once
#include "passes.hpp"
#include "picture.hpp"

namespace etna::compiler {

using ops::code;
using tracing::var;

constexpr int compile_graph(graph const& traced, int const* outputs, int n_out, bool in_block, std::int64_t* hash,
                            draft& p, pass_choice const& choice);

/// A block of an equation, as a frame: its arguments are the captured operands, then its own.
constexpr int compile_block(graph const& g, node_info const& n, tracing::block b, int captured_at, int captured,
                            std::int64_t* hash, draft& p, pass_choice const& choice) {
  bounded_graph body;
  tracing::zeros<var> in, outputs;
  tracing::zeros<int> ids;
  int number = 0, at = tracing::block::head;
  for (int k = 0; k < captured; ++k, ++number)
    in.at[k] = ops::argument(&body.g, g.values[g.edges[n.edge + captured_at + k]].type, number);
  for (int k = 0; k < b.inputs(); ++k, ++number)
    in.at[number] = ops::argument(&body.g, tracing::read_type(b, at), number);
  body.g.scope = tracing::copy_scope(body.g, body.g.scopes, 0, tracing::block{&g, 0}, n.scope);
  tracing::unpack(body.g, b, in.at, in.at + captured, outputs.at);
  for (int k = 0; k < b.outputs(); ++k) ids.at[k] = outputs.at[k].id;
  return compile_graph(body.g, ids.at, b.outputs(), true, hash, p, choice);
}
/// The frames of a graph's blocks. Of each equation that has some: where its words and then its frames are among the
/// plan's numbers, + 1.
constexpr void compile_blocks(graph const& g, cut const& c, std::int64_t* hash, int* numbers, draft& p,
                              pass_choice const& choice) {
  for (int i = 0; g.has_wide && i < g.n_nodes; ++i) {
    if (!ops::is_nested(c.form[i]) || c.cls[i] != planning::node_class::opaque) continue;
    node_info const& n = g.nodes[i];
    std::int64_t const* attr = g.attrs + n.attr;
    ops::wide_rules const& rules = *ops::table.at[n.op].wide;
    int words = rules.words, blocks = rules.blocks(attr), at = p.n_numbers;
    p.n_numbers += words + blocks;
    numbers[i] = at + 1;
    for (int k = 0; k < words; ++k) p.numbers[at + k] = attr[k];
    for (int b = 0; b < blocks; ++b)
      p.numbers[at + words + b] = compile_block(g, n, ops::block_of(attr, words, b), rules.captured_at,
                                                int(attr[rules.captured]), hash, p, choice);
  }
}
/// From a graph behind its passes to its frame of the plan: the frame's number. Frames of its blocks stand before it.
///
/// after   of copied_graph.hpp, or null
/// look    look(planner): what else is to be seen of it
template <class Look> constexpr int plan_graph(rewrite::subject const& s, int const* after, std::int64_t* hash,
                                               draft& p, pass_choice const& choice, Look look) {
  tracing::zeros<int> numbers;
  cut c;
  for (int i = 0; after && i < s.g->n_nodes; ++i) c.after[i] = after[i];
  run_cut_passes(s, c, choice);
  compile_blocks(*s.g, c, hash, numbers.at, p, choice);
  planning::planner d(*s.g, s.views, c, s.outputs, s.n_out, hash, numbers.at, p);
  run_plan_passes(d, choice);
  p.frames[p.n_frames++] = d.f;
  look(d);
  return p.n_frames - 1;
}
constexpr int compile_graph(graph const& traced, int const* outputs, int n_out, bool in_block, std::int64_t* hash,
                            draft& p, pass_choice const& choice) {
  graph_rooms rooms;
  rewrite::subject const s = run_graph_passes(traced, outputs, n_out, in_block, rooms, choice);
  return plan_graph(s, nullptr, hash, p, choice, [](planning::planner const&) {});
}

/// List named axes over which the trace takes what an empty one does not have, whether that is read or not.
constexpr void list_needed(graph const& g, draft& p) {
  p.needed = p.n_numbers;
  for (int i = 0; i < g.n_nodes; ++i) {
    node_info const& n = g.nodes[i];
    if (n.level > 0 || !ops::table.at[n.op].needs_elements) continue;
    for (int k = 0; k < n.attrs; ++k) {
      extent e = g.values[g.edges[n.edge]].type.e[g.attrs[n.attr + k]];
      bool there = e >= 0;
      for (int j = p.needed; j < p.n_numbers; j += 2) there = there || (p.numbers[j] == n.op && p.numbers[j + 1] == e);
      if (there) continue;
      p.numbers[p.n_numbers++] = n.op;
      p.numbers[p.n_numbers++] = e;
    }
  }
  p.n_needed = (p.n_numbers - p.needed) / 2;
}
constexpr void finish(picture const& traced, draft& p, pass_choice const& choice) {
  if (!p.is_static) list_needed(traced.graph(), p);
  run_program_passes(p, choice);
  p.arena = p.frames[p.n_frames - 1].arena;
}
constexpr void begin(picture const& traced, draft& p) {
  p.n_traced = traced.n_nodes;
  p.is_static = p.is_sized = true;
}
/// From a trace to a plan, which is empty where a transform could not do its part.
constexpr void compile(picture const& traced, draft& p, pass_choice const& choice = chosen) {
  if (traced.error) return;
  tracing::zeros<std::int64_t> hash;
  begin(traced, p);
  compile_graph(traced.graph(), traced.outputs, traced.n_outputs, false, hash.at, p, choice);
  finish(traced, p, choice);
}

}  // namespace etna::compiler
