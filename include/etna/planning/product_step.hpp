// SPDX-License-Identifier: BSD-3-Clause
// A matrix product, perhaps added to something where its sums are still in registers. Its body is ../lower/gemm.hpp.
#pragma once
#include "accumulate.hpp"
#include "step_row.hpp"

namespace etna::planning {

/// loops     batch, m, n, k; strides of the operands' views are those of batch, m, k and of batch, k, n
/// operands  two, what it is added to, and times which number in memory
/// numbers   the literal that what it adds is multiplied with, where it is added to something; of an operand that is
///           read by windows (its view's `window` says where): for its free axis and for its sums how many loops they
///           are, then their sizes and strides, the innermost first
struct product_step : step_defaults {
  static constexpr int n_loops = 4, batch = 0, rows = 1, columns = 2, sums = 3;
  static constexpr bool is(ops::form f) { return f == ops::form::contraction; }
  static constexpr const char* name(plan const&, step const& s) {
    return s.inputs > added_to ? "dot_general add" : "dot_general";
  }
  static constexpr void write(planner& d, int s) {
    read_operands(d, s);
    step& st = d.p.steps[s];
    node_info const& n = d.g.nodes[st.node];
    write_loops(d, st, n);
    int const sum = d.c.sum[st.node] - 1;
    if (sum >= 0) write_sum(d, s, sum);
    write_results(d, s, sum < 0 ? n : d.g.nodes[sum]);
  }
  static constexpr int loops(plan const&, step const& s, step_loop* l) {
    for (int n = 0; n < n_loops; ++n) l[n] = {s.loop[n], n == sums};
    return n_loops;
  }
  static constexpr int walked(plan const& p, step const& s, int k, step_loop const* l, extent* e) {
    constexpr int of[3][3] = {{batch, rows, sums}, {batch, sums, columns}, {batch, rows, columns}};
    if (k == scaled_by && k < s.inputs) return 0;  // one number
    view_in_step const& v = p.views[s.view + k];
    int n = 0;
    for (int i = 0; i < 3; ++i)
      if (k >= added_to || v.stride[i] != 0) e[n++] = l[of[k < added_to ? k : 2][i]].n;
    return n;
  }
  static constexpr step_flops flops(plan const& p, step const& s) { return {2, operations_of_sum(p, s)}; }
  static constexpr int starts_from(step const& s) { return s.inputs > added_to ? added_to : -1; }
  static constexpr int statements(plan const&, bool const*, step const& s) {
    return elements_at_most(s.loop, n_loops, tuning::inlining::product) > tuning::inlining::product
               ? -1
               : tuning::inlining::of_a_call;
  }
  static constexpr little_work straight(plan const&, step const& s) {
    return straight_work(2, elements_at_most(s.loop, n_loops, most_to_try), s.flops, false);
  }

 private:
  static constexpr void write_loops(planner& d, step& st, node_info const& n) {
    graph const& g = d.g;
    ops::dot_dims dims = ops::dot_dims::read(g.attrs + n.attr);
    auto side = [&](int k) {
      int q = g.edges[n.edge + k];
      tensor_type const& t = g.values[q].type;
      return product_loops(t, d.v[q], product_axes(dims, k, t.rank));
    };
    product_loops x = side(0), y = side(1);
    extent size[] = {x.batch.elements, x.free.elements, y.free.elements, x.contract.elements};
    extent a[] = {x.batch.innermost(), x.free.innermost(), x.contract.innermost()},
           b[] = {y.batch.innermost(), y.contract.innermost(), y.free.innermost()};
    write_folds(d.p, d.p.views[st.view], x);
    write_folds(d.p, d.p.views[st.view + 1], y);
    st.flops = 2;
    for (int i = 0; i < n_loops; ++i) {
      st.loop[i] = size[i];
      st.flops = st.flops < 0 || size[i] < 0 ? -1 : st.flops * size[i];
    }
    if (st.flops < 0) st.flops = 0;
    for (int i = 0; i < 3; ++i) {
      d.p.views[st.view].stride[i] = a[i];
      d.p.views[st.view + 1].stride[i] = b[i];
    }
  }
  /// Where an axis of an operand is several loops: all of them, as numbers of the plan.
  static constexpr void write_folds(draft& p, view_in_step& v, product_loops const& x) {
    if (!x.folds()) return;
    v.window = p.n_numbers + 1;
    for (rewrite::axis_loops const* axis : {&x.free, &x.contract}) {
      p.numbers[p.n_numbers++] = axis->n;
      for (int i = 0; i < axis->n; ++i) {
        p.numbers[p.n_numbers++] = axis->size[i];
        p.numbers[p.n_numbers++] = axis->stride[i];
      }
    }
  }
  /// What it is added to, and times which number: the literal, perhaps times one in memory.
  static constexpr void write_sum(planner& d, int s, int node) {
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
    if (st.flops > 0) st.flops += st.loop[batch] * st.loop[rows] * st.loop[columns] * operations_of_sum(d.p, st);
  }
};

}  // namespace etna::planning
