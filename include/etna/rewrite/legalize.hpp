// SPDX-License-Identifier: BSD-3-Clause
// What kernels cannot read as strides gets memory of its own by a copy: reshapes of permuted views,
// product operands whose axes do not merge, results that are views. Reductions over scattered axes
// become reductions over trailing ones. Read next: fuse.hpp.
#pragma once
#include "view.hpp"

namespace etna::rewrite {

/// The rule of the pass, with what it knows of the new graph: a view for each value.
class legalizer {
 public:
  constexpr explicit legalizer(view* of) : of_(of) {}

  constexpr int operator()(writer& w, graph const& from, node_info const& n, int const* in) {
    graph& g = w.to;
    tensor_type const& out = from.values[n.value].type;
    ops::form f = ops::table.at[n.op].form;
    if (f == ops::form::pointwise) return note(g, w.write(n.op, in, n.operands, from.attrs + n.attr, n.attrs, &out, 1));
    int ids[trace::max_operands]{};
    for (int k = 0; k < n.operands; ++k) ids[k] = in[k];
    if (f == ops::form::reshape && !reshapes(of_[ids[0]], g.values[ids[0]].type, out)) ids[0] = copy(w, ids[0]);
    if (f == ops::form::contraction) legal_product(w, from.attrs + n.attr, ids);
    if (f == ops::form::gather && is_virtual(g, of_[ids[0]])) ids[0] = copy(w, ids[0]);
    if (f == ops::form::gather && !is_contiguous(of_[ids[0]], g.values[ids[0]].type)) ids[0] = copy(w, ids[0]);
    if (f == ops::form::scatter)
      for (int k = 0; k < 3; ++k)
        if (is_virtual(g, of_[ids[k]]) || !is_contiguous(of_[ids[k]], g.values[ids[k]].type)) ids[k] = copy(w, ids[k]);
    if (f == ops::form::reduction || f == ops::form::arg_reduction)
      return legal_reduction(w, from, n, ids[0], f == ops::form::arg_reduction);
    return note(g, w.write(n.op, ids, n.operands, from.attrs + n.attr, n.attrs, &out, 1));
  }

  /// A result must be memory in its own order, once: otherwise copy it.
  constexpr int legal_output(writer& w, int id, bool taken) {
    graph& g = w.to;
    view const& v = of_[id];
    node_info const& root = g.nodes[g.values[v.root].node];
    bool source = ops::row_of(root.op).form == ops::form::source;
    if (!taken && !source && is_contiguous(v, g.values[id].type)) return id;
    return copy(w, id);
  }

 private:
  view* of_;

  static constexpr bool is_virtual(graph const& g, view const& v) {
    int op = g.nodes[g.values[v.root].node].op;
    return op == code<ops::full_p> || op == code<ops::iota_p>;
  }
  constexpr int note(graph& g, int first) {
    if (of_[first].stride[0] != 0 || of_[first].root != 0) return first;  // seen before
    node_info const& n = g.nodes[g.values[first].node];
    see(g, n, of_);
    for (int k = 1; k < n.results; ++k) {
      of_[first + k] = of_[first];
      of_[first + k].root = first + k;
    }
    return first;
  }
  constexpr int copy(writer& w, int id) {
    tensor_type t = w.to.values[id].type;
    return note(w.to, w.write_new(code<ops::copy_p>, id, t));
  }
  constexpr void legal_product(writer& w, std::int64_t const* attr, int* ids) {
    graph& g = w.to;
    ops::dot_dims d = ops::dot_dims::read(attr);
    for (int side = 0; side < 2; ++side) {
      tensor_type t = g.values[ids[side]].type;
      int const* batch = side ? d.rhs_batch : d.lhs_batch;
      int const* contract = side ? d.rhs_contract : d.lhs_contract;
      int free[max_rank]{};
      int n = ops::dot::free_axes(t.rank, batch, d.n_batch, contract, d.n_contract, free);
      view const& v = of_[ids[side]];
      bool ok = merge_axes(t, v, free, n).ok && merge_axes(t, v, contract, d.n_contract).ok &&
                merge_axes(t, v, batch, d.n_batch).ok && !is_virtual(g, v);
      if (!ok) ids[side] = copy_ordered(w, ids[side], t, batch, d.n_batch, free, n, contract, d.n_contract);
    }
  }
  // A copy in the order batch, free, contracted (so that each group merges), seen in the old order.
  constexpr int copy_ordered(writer& w, int id, tensor_type const& t, int const* batch, int nb, int const* free,
                             int nf, int const* contract, int nc) {
    std::int64_t perm[max_rank]{}, back[max_rank]{};
    int r = 0;
    for (int i = 0; i < nb; ++i) perm[r++] = batch[i];
    for (int i = 0; i < nf; ++i) perm[r++] = free[i];
    for (int i = 0; i < nc; ++i) perm[r++] = contract[i];
    tensor_type ordered{t.d, t.rank, {}};
    for (int i = 0; i < r; ++i) {
      ordered.e[i] = t.e[perm[i]];
      back[perm[i]] = i;
    }
    int x = note(w.to, w.write(code<ops::transpose_p>, &id, 1, perm, r, &ordered, 1));
    x = copy(w, x);
    return note(w.to, w.write(code<ops::transpose_p>, &x, 1, back, r, &t, 1));
  }
  constexpr int legal_reduction(writer& w, graph const& from, node_info const& n, int id, bool trailing_only) {
    graph& g = w.to;
    tensor_type x = g.values[id].type;
    std::int64_t axes[max_rank]{};
    bool gone[max_rank]{};
    for (int i = 0; i < n.attrs; ++i) {
      axes[i] = from.attrs[n.attr + i];
      gone[axes[i]] = true;
    }
    // on axes longer than 1: kept, then reduced, then (for cols) kept again?
    int runs = 0;
    bool last = false, before = false;
    for (int i = 0; i < x.rank; ++i) {
      if (x.e[i] == 1) continue;
      if (gone[i] && !before) ++runs;
      before = last = gone[i];
    }
    if (runs > 1 || (trailing_only && !last && runs == 1)) {
      std::int64_t perm[max_rank]{};
      int k = 0;
      for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < x.rank; ++i)
          if (gone[i] == (pass == 1)) perm[k++] = i;
      tensor_type moved{x.d, x.rank, {}};
      for (int i = 0; i < x.rank; ++i) moved.e[i] = x.e[perm[i]];
      id = note(g, w.write(code<ops::transpose_p>, &id, 1, perm, x.rank, &moved, 1));
      for (int i = 0; i < n.attrs; ++i) axes[i] = x.rank - n.attrs + i;
    }
    tensor_type types[trace::max_results]{};
    for (int k = 0; k < n.results; ++k) types[k] = from.values[n.value + k].type;
    return note(g, w.write(n.op, &id, 1, axes, n.attrs, types, n.results));
  }
};

/// The pass; `outputs` become those of the new graph.
constexpr void legalize(graph const& from, graph& to, int* outputs, int n_out, view* views) {
  legalizer rule(views);
  trace::zeros<bool> taken;  // memory that is a result already
  rewrite(from, to, outputs, n_out, outputs, rule, [&](writer& w, int* out) {
    for (int k = 0; k < n_out; ++k) {
      out[k] = rule.legal_output(w, out[k], taken.at[views[out[k]].root]);
      taken.at[views[out[k]].root] = true;
    }
  });
}

}  // namespace etna::rewrite
