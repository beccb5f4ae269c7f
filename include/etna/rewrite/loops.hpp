// SPDX-License-Identifier: BSD-3-Clause
// The loops of a step and the strides of its views on them. Read next: normal_form.hpp.
#pragma once
#include "schedule.hpp"

namespace etna::rewrite {

/// Put the strides of a view, read in the shape t, on the axes of the kernel's space.
constexpr void place(view_in_step& w, space const& sp, tensor_type const& t, extent const* stride, bool element) {
  int m = 0;
  for (int i = 0; i < t.rank; ++i) {
    if (t.e[i] == 1) continue;
    if (!element)  // a value of the row: only the axes that are kept
      while (m < sp.t.rank && m >= sp.split && (sp.to < 0 || m < sp.to)) ++m;
    if (m < sp.t.rank) w.outer[m++] = stride[i];
  }
}

/// Which loop an axis of the space belongs to: 0 outer, 1 mid, 2 inner.
constexpr int loop_of(space const& sp, int axis) {
  if (sp.split < 0 || axis < sp.split) return 0;
  return sp.to >= 0 && axis < sp.to ? 1 : 2;
}

/// Loops of a fused step: axes merged where all views allow it, then told apart.
constexpr void make_loops(draft& d, step& st, space const& sp) {
  int n_views = st.inputs + st.outputs;
  view_in_step* views = d.p.views + (st.view < 0 ? 0 : st.view);
  extent e[max_rank]{};
  int part[max_rank]{}, n = 0;
  for (int i = 0; i < sp.t.rank; ++i) {
    int mine = loop_of(sp, i);
    bool joins = n > 0 && part[n - 1] == mine;
    for (int k = 0; k < n_views && joins; ++k) {
      extent s = views[k].outer[i];
      joins = views[k].outer[n - 1] == (s == 0 ? 0 : ext::mul(s, sp.t.e[i]));
    }
    if (!joins) part[n++] = mine;
    e[n - 1] = joins ? ext::mul(e[n - 1], sp.t.e[i]) : sp.t.e[i];
    if (n - 1 != i)
      for (int k = 0; k < n_views; ++k) views[k].outer[n - 1] = views[k].outer[i];
  }
  // the last axis is inner; what did not merge with it is mid where it is reduced, else outer
  st.inner = 1;
  int last = n > 0 && (sp.split < 0 || part[n - 1] == 2) ? n - 1 : -1, place[max_rank]{};
  for (int i = 0; i < n; ++i) {
    bool mid = part[i] == 1 || (part[i] == 2 && !sp.is_columns());
    if (i == last) st.inner = e[i];
    else if (mid) {
      place[i] = -1 - st.n_mid;
      st.mid[st.n_mid++] = e[i];
    } else {
      place[i] = st.n_outer;
      st.outer[st.n_outer++] = e[i];
    }
  }
  for (int k = 0; k < n_views; ++k) {
    view_in_step& v = views[k];
    for (int i = 0; i < sp.t.rank; ++i) {  // axes move forward only, so this can be done in place
      extent s = i < n ? v.outer[i] : 0;
      v.outer[i] = 0;
      if (i == last) v.inner = s;
      else if (i < n) (place[i] < 0 ? v.mid[-1 - place[i]] : v.outer[place[i]]) = s;
    }
  }
}

// outer: batch, m, n, k; of the operands' views: strides of batch, m, k and of batch, k, n
constexpr void product_loops(draft& d, step& st, node_info const& n) {
  graph const& g = d.g;
  ops::dot_dims dims = ops::dot_dims::read(g.attrs + n.attr);
  merged m[2][3];
  for (int side = 0; side < 2; ++side) {
    int q = g.edges[n.edge + side];
    tensor_type const& t = g.values[q].type;
    int const* batch = side ? dims.rhs_batch : dims.lhs_batch;
    int const* contract = side ? dims.rhs_contract : dims.lhs_contract;
    int free[max_rank]{};
    int nf = ops::dot::free_axes(t.rank, batch, dims.n_batch, contract, dims.n_contract, free);
    m[side][0] = merge_axes(t, d.v[q], batch, dims.n_batch);
    m[side][1] = merge_axes(t, d.v[q], free, nf);
    m[side][2] = merge_axes(t, d.v[q], contract, dims.n_contract);
  }
  extent size[] = {m[0][0].size, m[0][1].size, m[1][1].size, m[0][2].size};
  extent a[] = {m[0][0].stride, m[0][1].stride, m[0][2].stride}, b[] = {m[1][0].stride, m[1][2].stride, m[1][1].stride};
  st.flops = 2;
  for (int i = 0; i < 4; ++i) {
    st.outer[i] = size[i];
    st.flops = st.flops < 0 || size[i] < 0 ? -1 : st.flops * size[i];
  }
  if (st.flops < 0) st.flops = 0;
  for (int i = 0; i < 3; ++i) {
    d.p.views[st.view].outer[i] = a[i];
    d.p.views[st.view + 1].outer[i] = b[i];
  }
}
// outer: batch, pre, n, places, post
constexpr void scatter_loops(draft& d, step& st, node_info const& n) {
  graph const& g = d.g;
  tensor_type const &x = g.values[g.edges[n.edge]].type, &index = g.values[g.edges[n.edge + 1]].type;
  int axis = int(g.attrs[n.attr]), nb = int(g.attrs[n.attr + 1]);
  for (int i = 0; i < 5; ++i) st.outer[i] = 1;
  for (int i = 0; i < nb; ++i) st.outer[0] = ext::mul(st.outer[0], x.e[i]);
  for (int i = nb; i < axis; ++i) st.outer[1] = ext::mul(st.outer[1], x.e[i]);
  st.outer[2] = x.e[axis];
  for (int i = nb; i < index.rank; ++i) st.outer[3] = ext::mul(st.outer[3], index.e[i]);
  for (int i = axis + 1; i < x.rank; ++i) st.outer[4] = ext::mul(st.outer[4], x.e[i]);
}

/// A product or a scatter: its views are its operands and its result.
constexpr void write_opaque(draft& d, int s) {
  step& st = d.p.steps[s];
  auto const& n = d.g.nodes[st.node];
  st.inputs = n.operands;
  st.outputs = 1;
  for (int k = 0; k < n.operands; ++k) {
    int q = d.g.edges[n.edge + k];
    view_in_step& w = d.add_view(st, d.buffer_of(q));
    for (int i = 0; i < d.g.values[q].type.rank; ++i) w.outer[i] = d.v[q].stride[i];
    d.use(w.buffer, s);
  }
  d.use(d.add_view(st, d.value_buffer[n.value] - 1).buffer, s);
  if (st.kind == step_kind::contraction) product_loops(d, st, n);
  else scatter_loops(d, st, n);
}

}  // namespace etna::rewrite
