// SPDX-License-Identifier: BSD-3-Clause
// From a cut graph to a plan. Read next: program.hpp.
#pragma once
#include "memory.hpp"

namespace etna::rewrite {

constexpr void make_plan(graph const& g, view const* views, cut& c, int const* outputs, int n_out, plan& p) {
  draft d(g, views, c, p);
  p.is_static = true;
  for (int i = 0; i < g.n_values; ++i) {
    tensor_type const& t = g.values[i].type;
    for (int a = 0; a < t.rank; ++a) p.is_static = p.is_static && t.e[a] >= 0;
  }
  make_buffers(d, outputs, n_out);
  order_steps(d);
  for (int s = 0; s < p.n_steps; ++s) {
    step& st = p.steps[s];
    if (st.kind == step_kind::fused) write_kernel(d, s);
    else write_opaque(d, s);
    if (st.kind == step_kind::contraction || st.kind == step_kind::scatter) {
      view_in_step const* v = p.views + st.view;
      (st.kind == step_kind::contraction ? p.products : p.scatters) |=
          pair_bit(p.buffers[v[0].buffer].d, p.buffers[v[st.inputs].buffer].d);
    }
    if (st.inputs + st.outputs > p.most_views) p.most_views = st.inputs + st.outputs;
  }
  p.is_sized = true;
  for (int b = 0; b < p.n_buffers; ++b) {
    if (p.buffers[b].kind == buffer::size_of) p.buffers[b].first = 0;  // written before the first step
    if (p.buffers[b].kind == buffer::temporary && p.buffers[b].size == ext::invalid) p.is_sized = false;
  }
  share_in_place(p);
  donate(p);
  if (!p.is_static) return;  // places are given at the call
  trace::zeros<int, memory_work::ints(trace::most_nodes, trace::most_nodes)> ints;
  trace::zeros<holes::hole> h;
  memory_work work(ints.at, h.at, p.n_buffers, p.n_steps);
  p.arena = assign_memory(p.buffers, p.n_buffers, p.n_steps, [](extent e) { return e; }, work);
}

}  // namespace etna::rewrite
