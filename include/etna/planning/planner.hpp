// SPDX-License-Identifier: BSD-3-Clause
// From a cut graph to a frame of the plan, in passes: their list is ../compiler/passes.hpp.
#pragma once
#include "epilogues.hpp"
#include "sink.hpp"
#include "stencils.hpp"

namespace etna::planning {

constexpr extent flops_of(draft const& p, frame const& f) {
  extent n = 0;
  for (int s = f.step; s < f.step + f.steps; ++s) n += p.steps[s].flops;
  return n;
}
/// Of all rounds of a scan, of one round of a while loop, of the branch that has most.
constexpr extent nested_flops(draft const& p, step const& s) {
  std::int64_t const *w = p.numbers + s.number, *frames = frames_of(s, w);
  auto of = [&](int k) { return flops_of(p, p.frames[frames[k]]); };
  if (s.kind == step_kind::scan) return (w[0] > 0 ? w[0] : 1) * of(0);
  if (s.kind == step_kind::loop) return of(0) + of(1);
  extent most = 0;
  for (int b = 0; b < int(w[0]); ++b)
    if (extent n = of(b); n > most) most = n;
  return most;
}

/// Pass: which values are memory, and in which order kernels run.
constexpr void schedule(planner& d) {
  for (int i = 0; i < d.g.n_values; ++i) {
    tensor_type const& t = d.g.values[i].type;
    for (int a = 0; a < t.rank; ++a)
      if (t.e[a] < 0) d.p.is_static = false;
  }
  make_buffers(d);
  order_steps(d);
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
    if (st.kind == step_kind::fused) write_kernel(d, s);
    else write_opaque(d, s);
    if (d.g.scopes) keep_scopes(d, s);
    if (st.kind == step_kind::contraction || st.kind == step_kind::scatter) {
      view_in_step const* v = p.views + st.view;
      (st.kind == step_kind::contraction ? p.products : p.scatters) |=
          pair_bit(p.buffers[v[0].buffer].d, p.buffers[v[st.inputs].buffer].d);
    }
    if (is_nested(st.kind) && p.is_static)
      p.buffers[d.workspace[st.node]].size = workspace_bytes(p, p.buffers, arena, st, number);
    if (is_nested(st.kind)) st.flops = nested_flops(p, st);
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
  if (d.p.is_static) epilogues(d.p, d.f);
}
constexpr void group_stencils(planner& d) {
  if (d.p.is_static) stencils(d.p, d.f);
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
