// SPDX-License-Identifier: BSD-3-Clause
// From a cut graph to a frame of the plan, in passes: their list is ../compiler/passes.hpp.
#pragma once
#include "epilogues.hpp"
#include "meanwhile.hpp"
#include "memory.hpp"
#include "piece_places.hpp"
#include "row_tails.hpp"
#include "sink.hpp"
#include "stencils.hpp"

namespace etna::planning {

/// Pass: which values are memory, and in which order kernels run.
constexpr void schedule(planner& d) {
  for (int i = 0; i < d.g.n_values; ++i) {
    tensor_type const& t = d.g.values[i].type;
    for (int a = 0; a < t.rank; ++a)
      if (t.e[a] < 0) d.p.is_static = false;
  }
  make_buffers(d);
  order_steps(d);
  for (int s = d.f.step; s < d.p.n_steps; ++s) d.p.steps[s].kind = kind_of_form(d.c.form[d.p.steps[s].node]);
  d.f.steps = d.p.n_steps - d.f.step;
  d.f.buffers = d.p.n_buffers - d.f.buffer;
}
/// Pass: what each step reads and writes, and its loops; kernels in normal form.
constexpr void write_steps(planner& d) {
  draft& p = d.p;
  auto number = [](extent e) { return e; };
  auto arena = [&](std::int64_t frame) { return p.frames[frame].arena; };
  for (int s = d.f.step; s < p.n_steps; ++s) {
    step& st = p.steps[s];
    rules_of(st).write(d, s);
    if (d.g.scopes) keep_scopes(d, s);
    if (is_nested(st) && p.is_static)
      p.buffers[d.workspace[st.node]].size = workspace_bytes(plan(p), p.buffers, arena, st, number);
    if (st.inputs + st.outputs > p.most_views) p.most_views = st.inputs + st.outputs;
  }
  for (int b = d.f.buffer; b < p.n_buffers; ++b) {
    buffer& x = p.buffers[b];
    if (x.kind == buffer::size_of && x.last >= 0) {  // written before the first step, and read in each round of a loop
      x.first = d.f.step;
      x.last = p.n_steps - 1;
    }
    if (x.kind == buffer::temporary && x.size == ext::invalid) p.is_sized = false;
  }
}
/// Pass: steps that start from an operand work in its memory, where nobody reads it later.
constexpr void work_in_place(planner& d) { share_in_place(d.p, d.f); }
/// Passes: groups of steps that run tile by tile. Where sizes are known at the call only, there are none.
constexpr void group_epilogues(planner& d) {
  if (d.p.is_static) epilogues(d.p, d.f, epilogues::first::product);
}
constexpr void group_stencils(planner& d) {
  if (d.p.is_static) stencils(d.p, d.f);
}
constexpr void group_kernels(planner& d) {
  if (d.p.is_static) epilogues(d.p, d.f, epilogues::first::kernel);
}
/// Pass: a place in the arena for each temporary; where sizes are known at the call only, the call gives them.
constexpr void place_temporaries(planner& d) {
  if (!d.p.is_static) return;
  frame& f = d.f;
  tracing::zeros<int, memory_work::ints(tracing::most_nodes, tracing::most_nodes)> ints;
  tracing::zeros<holes::hole> h;
  memory_work work(ints.at, h.at, f.buffers, f.steps);
  f.arena = assign_memory(
      d.p.buffers + f.buffer, f.buffers, f.step, f.steps, [](extent e) { return e; }, work);
}

}  // namespace etna::planning
