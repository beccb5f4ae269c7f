// SPDX-License-Identifier: BSD-3-Clause
// From a cut graph to a plan. Read next: program.hpp.
#pragma once
#include "epilogue.hpp"
#include "tiles.hpp"

namespace etna::rewrite {

constexpr extent flops_of(plan const& p, frame const& f) {
  extent n = 0;
  for (int s = f.step; s < f.step + f.steps; ++s) n += p.steps[s].flops;
  return n;
}
/// Of all rounds of a scan, of one round of a while loop, of the branch that has most.
constexpr extent nested_flops(plan const& p, step const& s) {
  std::int64_t const *w = p.numbers + s.number, *frames = frames_of(s, w);
  auto of = [&](int k) { return flops_of(p, p.frames[frames[k]]); };
  if (s.kind == step_kind::scan) return (w[0] > 0 ? w[0] : 1) * of(0);
  if (s.kind == step_kind::loop) return of(0) + of(1);
  extent most = 0;
  for (int b = 0; b < int(w[0]); ++b)
    if (extent n = of(b); n > most) most = n;
  return most;
}

/// The frame of a graph: its number. Frames of its blocks are there already.
///
/// numbers     nested node -> where its words and frames are among the plan's numbers, + 1
constexpr int make_frame(graph const& g, view const* views, cut& c, int const* outputs, int n_out, std::int64_t* hash,
                         int const* numbers, plan& p) {
  draft d(g, views, c, p, hash, numbers);
  for (int i = 0; i < g.n_values; ++i) {
    tensor_type const& t = g.values[i].type;
    for (int a = 0; a < t.rank; ++a)
      if (t.e[a] < 0) p.is_static = false;
  }
  make_buffers(d, outputs, n_out);
  order_steps(d);
  frame& f = d.f;
  f.steps = p.n_steps - f.step;
  f.buffers = p.n_buffers - f.buffer;
  auto number = [](extent e) { return e; };
  auto arena = [&](std::int64_t frame) { return p.frames[frame].arena; };
  for (int s = f.step; s < p.n_steps; ++s) {
    step& st = p.steps[s];
    if (st.kind == step_kind::fused) write_kernel(d, s);
    else write_opaque(d, s);
    if (g.scopes) keep_scopes(d, s);
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
  for (int b = f.buffer; b < p.n_buffers; ++b) {
    buffer& x = p.buffers[b];
    if (x.kind == buffer::size_of && x.last >= 0) {  // written before the first step, and read in each round of a loop
      x.first = f.step;
      x.last = p.n_steps - 1;
    }
    if (x.kind == buffer::temporary && x.size == ext::invalid) p.is_sized = false;
  }
  share_in_place(p, f);
  if (p.is_static) {  // else places are given at the call
    epilogues(p, f);
    stencils(p, f);
    tracing::zeros<int, memory_work::ints(tracing::most_nodes, tracing::most_nodes)> ints;
    tracing::zeros<holes::hole> h;
    memory_work work(ints.at, h.at, f.buffers, f.steps);
    f.arena = assign_memory(p.buffers + f.buffer, f.buffers, f.step, f.steps, number, work);
  }
  p.frames[p.n_frames] = f;
  return p.n_frames++;
}

}  // namespace etna::rewrite
