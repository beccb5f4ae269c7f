// SPDX-License-Identifier: BSD-3-Clause
// The loops of a step and the strides of its views on them. Read next: normal_form.hpp.
#pragma once
#include "accumulate.hpp"
#include "schedule.hpp"

namespace etna::planning {

/// Put the strides of a view, read in the shape t, on the axes of the kernel's space.
constexpr void set_strides(view_in_step& w, space const& sp, tensor_type const& t, extent const* stride, bool element) {
  int m = 0;
  for (int i = 0; i < t.rank; ++i) {
    if (t.e[i] == 1) continue;
    if (!element)  // a value of the row: only the axes that are kept
      while (m < sp.t.rank && m >= sp.split && (sp.to < 0 || m < sp.to)) ++m;
    if (m < sp.t.rank) w.stride[m++] = stride[i];
  }
}

/// Which loop an axis of the space belongs to: 0 outer, 1 mid, 2 inner.
constexpr int loop_of(space const& sp, int axis) {
  if (sp.split < 0 || axis < sp.split) return 0;
  return sp.to >= 0 && axis < sp.to ? 1 : 2;
}

/// What a window says of a loop or axis: where it begins, its size.
constexpr std::int64_t* window_of(draft& p, view_in_step const& v) {
  return v.window ? p.numbers + v.window - 1 : nullptr;
}

constexpr void move_window(std::int64_t const* from, int i, std::int64_t* to, int k) {
  to[2 * k] = from[2 * i];
  to[2 * k + 1] = from[2 * i + 1];
}

/// Loops of a fused step: axes merged where all views allow it, then told apart. Rows of a stencil are those of the
/// arrays.
constexpr void make_loops(planner& d, step& st, space const& sp, bool is_stencil) {
  int n_views = st.inputs + st.outputs;
  view_in_step* views = d.p.views + (st.view < 0 ? 0 : st.view);
  extent e[max_rank]{};
  int part[max_rank]{}, n = 0;
  for (int i = 0; i < sp.t.rank; ++i) {
    int mine = loop_of(sp, i);
    bool joins = n > 0 && part[n - 1] == mine && !(is_stencil && i == sp.t.rank - 1);
    for (int k = 0; k < n_views && joins; ++k) {
      extent s = views[k].stride[i];
      joins = views[k].stride[n - 1] == (s == 0 ? 0 : ext::mul(s, sp.t.e[i]));
      // of blocks in an axis and all of the next one
      if (std::int64_t* w = window_of(d.p, views[k]))
        joins = joins && w[2 * i + 1] == 0 && (w[2 * n - 1] == 0 || sp.t.e[i] > 0);
    }
    if (!joins) part[n++] = mine;
    e[n - 1] = joins ? ext::mul(e[n - 1], sp.t.e[i]) : sp.t.e[i];
    for (int k = 0; k < n_views && n - 1 != i; ++k) {
      views[k].stride[n - 1] = views[k].stride[i];
      std::int64_t* w = window_of(d.p, views[k]);
      if (!w) continue;
      if (!joins) move_window(w, i, w, n - 1);
      else if (w[2 * n - 1] != 0) w[2 * n - 2] *= sp.t.e[i], w[2 * n - 1] *= sp.t.e[i];
    }
  }
  // the last axis is inner; what did not merge with it is mid where it is reduced, else outer
  st.inner = 1;
  int last = n > 0 && (sp.split < 0 || part[n - 1] == 2) ? n - 1 : -1, axis[max_rank]{}, loops = 0;
  for (int mid = 0; mid < 2; ++mid)
    for (int i = 0; i < n; ++i) {
      if (i == last || (part[i] == 1 || (part[i] == 2 && !sp.is_columns())) != (mid == 1)) continue;
      ++(mid ? st.n_mid : st.n_outer);
      axis[loops] = i;
      st.loop[loops++] = e[i];
    }
  if (last >= 0) st.inner = e[last];
  for (int k = 0; k < n_views; ++k) {
    view_in_step& v = views[k];
    extent s[max_rank]{};
    for (int i = 0; i < n; ++i) s[i] = v.stride[i];
    if (last >= 0) v.inner = s[last];
    for (int i = 0; i < sp.t.rank; ++i) v.stride[i] = i < loops ? s[axis[i]] : 0;
    if (std::int64_t* w = window_of(d.p, v)) {
      std::int64_t of_axes[window_words]{};
      for (int i = 0; i < n; ++i) move_window(w, i, of_axes, i);
      for (int i = 0; i < loops; ++i) move_window(of_axes, axis[i], w, i);
      if (last >= 0) move_window(of_axes, last, w, max_rank);
    }
  }
}

// loops: batch, m, n, k; of the operands' views: strides of batch, m, k and of batch, k, n
constexpr void write_product(planner& d, step& st, node_info const& n) {
  graph const& g = d.g;
  ops::dot_dims dims = ops::dot_dims::read(g.attrs + n.attr);
  auto side = [&](int k) {
    int q = g.edges[n.edge + k];
    tensor_type const& t = g.values[q].type;
    return product_loops(t, d.v[q], product_axes(dims, k, t.rank));
  };
  product_loops x = side(0), y = side(1);
  extent size[] = {x.batch.size, x.free.size, y.free.size, x.contract.size};
  extent a[] = {x.batch.stride, x.free.stride, x.contract.stride},
         b[] = {y.batch.stride, y.contract.stride, y.free.stride};
  st.flops = 2;
  for (int i = 0; i < 4; ++i) {
    st.loop[i] = size[i];
    st.flops = st.flops < 0 || size[i] < 0 ? -1 : st.flops * size[i];
  }
  if (st.flops < 0) st.flops = 0;
  for (int i = 0; i < 3; ++i) {
    d.p.views[st.view].stride[i] = a[i];
    d.p.views[st.view + 1].stride[i] = b[i];
  }
}
/// Adds an operand to what the step reads: its memory as it lies.
constexpr void read_operand(planner& d, int s, int value) {
  view_in_step& w = d.add_view(d.p.steps[s], d.buffer_of(value));
  w.offset = d.v[value].offset;
  for (int i = 0; i < d.g.values[value].type.rank; ++i) w.stride[i] = d.v[value].stride[i];
  d.use(w.buffer, s);
}
/// What a product is added to, and times which number: a literal of the step, perhaps times one in memory.
constexpr void write_sum(planner& d, int s, int node) {
  graph const& g = d.g;
  step& st = d.p.steps[s];
  accumulation const sum(g, d.v, d.c, node);
  dtype const t = g.values[g.nodes[node].value].type.d;
  node_info const* literal = sum.scale >= 0 ? &g.nodes[g.values[d.v[sum.scale].root].node] : nullptr;
  if (literal && literal->op != code<ops::full_p>) literal = nullptr;
  double const scale = literal ? bits_to_double(t, g.attrs[literal->attr]) : 1;
  st.inputs = added_to + 1;
  read_operand(d, s, sum.start);
  if (sum.scale >= 0 && !literal) ++st.inputs, read_operand(d, s, sum.scale);
  st.number = d.p.n_numbers;
  st.numbers = 1;
  d.p.numbers[d.p.n_numbers++] = to_bits(t, sum.is_negative ? -scale : scale);
  if (st.flops > 0) st.flops += st.loop[0] * st.loop[1] * st.loop[2] * operations_of_sum(d.p, st);
}
// loops: batch, pre, n, places, post
constexpr void write_scatter(planner& d, step& st, node_info const& n) {
  graph const& g = d.g;
  tensor_type const &x = g.values[g.edges[n.edge]].type, &index = g.values[g.edges[n.edge + 1]].type;
  int axis = int(g.attrs[n.attr]), nb = int(g.attrs[n.attr + 1]);
  for (int i = 0; i < 5; ++i) st.loop[i] = 1;
  for (int i = 0; i < nb; ++i) st.loop[0] = ext::mul(st.loop[0], x.e[i]);
  for (int i = nb; i < axis; ++i) st.loop[1] = ext::mul(st.loop[1], x.e[i]);
  st.loop[2] = x.e[axis];
  for (int i = nb; i < index.rank; ++i) st.loop[3] = ext::mul(st.loop[3], index.e[i]);
  for (int i = axis + 1; i < x.rank; ++i) st.loop[4] = ext::mul(st.loop[4], x.e[i]);
}

// a routine is called with its attributes, and with whole operands and results: their extents are enough
constexpr void write_routine(planner& d, step& st, node_info const& n) {
  st.kernel = n.op;
  st.number = d.p.n_numbers;
  st.numbers = n.attrs;
  for (int k = 0; k < n.attrs; ++k) d.p.numbers[d.p.n_numbers++] = d.g.attrs[n.attr + k];
  for (int k = 0; k < st.inputs + st.outputs; ++k) {
    tensor_type const& t = d.g.values[k < st.inputs ? d.g.edges[n.edge + k] : n.value + k - st.inputs].type;
    view_in_step& w = d.p.views[st.view + k];
    for (int i = 0; i < t.rank; ++i) w.stride[i] = t.e[i];
    w.inner = t.rank;
  }
  extent size = d.g.values[n.value].type.size();
  st.flops = size > 0 ? size * ops::table.at[n.op].flops : 0;
}

/// What is no fused kernel: its views are its operands and its results; of a nested step also its workspace.
constexpr void write_opaque(planner& d, int s) {
  step& st = d.p.steps[s];
  auto const& n = d.g.nodes[st.node];
  st.inputs = n.operands;
  st.outputs = n.results;
  for (int k = 0; k < n.operands; ++k) read_operand(d, s, d.g.edges[n.edge + k]);
  if (st.kind == step_kind::contraction) write_product(d, st, n);
  int const sum = d.c.sum[st.node] - 1;
  if (sum >= 0) write_sum(d, s, sum);
  for (int k = 0; k < n.results; ++k)
    d.use(d.add_view(st, d.value_buffer[(sum < 0 ? n : d.g.nodes[sum]).value + k] - 1).buffer, s);
  if (st.kind == step_kind::scatter) write_scatter(d, st, n);
  else if (st.kind == step_kind::routine) write_routine(d, st, n);
  else if (is_nested(st.kind)) {
    st.number = d.numbers[st.node] - 1;
    d.use(d.add_view(st, d.workspace[st.node]).buffer, s);
    ++st.outputs;
  }
}

}  // namespace etna::planning
