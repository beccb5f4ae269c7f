// SPDX-License-Identifier: BSD-3-Clause
// What kernels cannot read as strides gets memory of its own by a copy: reshapes of permuted views,
// product operands whose axes do not merge, results that are views. Reductions over scattered axes
// become reductions over trailing ones. Read next: fuse.hpp.
#pragma once
#include <limits>

#include "again.hpp"
#include "patches.hpp"
#include "pieces.hpp"

namespace etna::rewrite {

constexpr bool is_memory(graph const& g, view const* of, int id) {
  return !is_virtual(g, of[id]) && is_contiguous(of[id], g.values[id].type);
}

/// Are the reduced axes (longer than 1) one run, and, if need be, the last?
constexpr bool reduces_in_place(tensor_type const& x, std::int64_t const* axes, int n, bool trailing_only) {
  bool gone[max_rank]{};
  for (int i = 0; i < n; ++i) gone[axes[i]] = true;
  int runs = 0;
  bool before = false;
  for (int i = 0; i < x.rank; ++i) {
    if (x.e[i] == 1) continue;
    if (gone[i] && !before) ++runs;
    before = gone[i];
  }
  return runs == 0 || (runs == 1 && (before || !trailing_only));
}

/// An index into an axis that has no elements: each of its numbers is out of range.
constexpr bool picks_from_nothing(graph const& g, ops::form f, std::int64_t const* attr, int const* in) {
  return f == ops::form::gather && g.values[in[0]].type.e[ops::gather_dims::read(attr).axis] == 0;
}
/// Can a kernel read operand k of an equation as it lies?
constexpr bool reads(graph const& g, view const* of, ops::form f, std::int64_t const* attr, int n_attr,
                     tensor_type const& out, int const* in, int k) {
  tensor_type const& t = g.values[in[k]].type;
  view const& v = of[in[k]];
  switch (f) {
    case ops::form::reshape: return reshapes(v, t, out);
    case ops::form::slice: {
      extent offset = 0, stride[max_rank]{};
      return slices(v, t, attr, &offset, stride);
    }
    case ops::form::windows: {
      extent stride[max_rank]{};
      return windows(v, t, attr, stride);
    }
    case ops::form::contraction: {
      ops::dot_dims dims = ops::dot_dims::read(attr);
      return !is_virtual(g, v) && product_loops(t, v, product_axes(dims, k, t.rank)).ok();
    }
    case ops::form::gather: return k != 0 || !is_virtual(g, v);
    case ops::form::patch: return k != 1 || !is_virtual(g, v);
    case ops::form::scatter:
      if (k == 1) return !is_virtual(g, v) && index_strides(v, t, ops::gather_dims::read(attr).n_batch).ok();
      [[fallthrough]];
    case ops::form::routine: return is_memory(g, of, in[k]);
    case ops::form::scan:
    case ops::form::branch:
    case ops::form::loop: return v.offset == 0 && is_memory(g, of, in[k]);  // whole arrays
    case ops::form::reduction:
    case ops::form::arg_reduction: return reduces_in_place(t, attr, n_attr, f == ops::form::arg_reduction);
    default: return true;
  }
}
/// A result must be memory in its own order.
constexpr bool is_result(graph const& g, view const* of, int id) {
  return ops::table.at[g.nodes[g.values[of[id].root].node].op].form != ops::form::source && !of[id].is_part &&
         is_contiguous(of[id], g.values[id].type);
}

/// The rule of the pass, with what it knows of the new graph: a view for each value.
class legalizer {
 public:
  /// copied  by value: zeros, which become a copy of it that loops read, + 1
  constexpr legalizer(view* of, bool in_block, joined_pieces const& joined, int* copied)
      : of_(of), in_block_(in_block), joined_(joined), copied_(copied) {}

  constexpr int operator()(writer& w, graph const& from, node_info const& n, int* in) {
    graph& g = w.to;
    tensor_type const& out = from.values[n.value].type;
    std::int64_t const* attr = from.attrs + n.attr;
    ops::form f = ops::table.at[n.op].form;
    if (picks_from_nothing(g, f, attr, in)) return missing(w, out);
    if (n.op == code<ops::update_p>) {
      if (joined_.last(int(&n - from.nodes)) >= 0) {
        if (joined_.writer_of(from.edges[n.edge + 1]) < 0) in[1] = copy(w, in[1]);
      } else if (patching::operands p{}; patching{g, of_, in_block_}.find(in, attr, out, p)) return patch(w, p, out);
    }
    for (int k = 0; k < n.operands; ++k) {
      if (f == ops::form::pointwise || reads(g, of_, f, attr, n.attrs, out, in, k)) continue;
      if (f == ops::form::reduction || f == ops::form::arg_reduction) return trailing_reduction(w, from, n, in[0]);
      if (f == ops::form::slice) return gathered_slice(w, in[0], attr, out);
      if (f == ops::form::contraction) in[k] = copy_ordered(w, in[k], ops::dot_dims::read(attr), k);
      else in[k] = ops::is_nested(f) ? copy_once(w, in[k]) : copy(w, in[k]);
    }
    return note(g, write_again(w, from, n, in, attr));
  }

  /// A result that is memory of its own, for `id`.
  constexpr int result(writer& w, int id, bool taken) { return !taken && is_result(w.to, of_, id) ? id : copy(w, id); }

 private:
  view* of_;
  bool in_block_;
  joined_pieces const& joined_;
  int* copied_;

  constexpr int note(graph& g, int first) {
    if (of_[first].stride[0] == 0 && of_[first].root == 0)
      see(g, g.nodes[g.values[first].node], of_);  // not seen before
    return first;
  }
  constexpr int patch(writer& w, patching::operands const& p, tensor_type const& out) {
    int in[] = {p.x, p.u};
    std::int64_t attr[2 * max_rank]{};  // the pool that has them may grow
    for (int i = 0; i < 2 * out.rank; ++i) attr[i] = p.attr[i];
    if (p.fill)
      in[0] = note(w.to, w.write(code<ops::full_p>, nullptr, 0, w.to.attrs + patching{w.to, of_, false}.root(p.x).attr,
                                 1, &out, 1));
    return note(w.to, w.write(code<ops::patch_p>, in, 2, attr, 2 * out.rank, &out, 1));
  }
  /// What a gather has in place of elements that are not there.
  constexpr int missing(writer& w, tensor_type const& t) {
    std::int64_t const bits = to_bits(t.d, is_floating(t.d) ? std::numeric_limits<double>::quiet_NaN() : 0.0);
    return note(w.to, w.write(code<ops::full_p>, nullptr, 0, &bits, 1, &t, 1));
  }
  constexpr int copy(writer& w, int id) {
    if (int const computed = computed_behind(w, id); computed >= 0) return computed;
    tensor_type t = w.to.values[id].type;
    return note(w.to, w.write_new(code<ops::copy_p>, id, t));
  }
  // Loops read what they are given: a program and its derivative may have one copy.
  constexpr int copy_once(writer& w, int id) {
    if (int const before = copied_[id]) return before - 1;
    int const made = copy(w, id);
    copied_[id] = made + 1;
    return made;
  }
  // A view of one cheap operation, which would be memory before it is copied: the operation on the operands' views.
  constexpr int computed_behind(writer& w, int id) {
    constexpr int most = 8;
    graph& g = w.to;
    int moves[most]{}, n_moves = 0, from = id;
    for (; is_movement(ops::table.at[g.nodes[g.values[from].node].op].form);
         from = g.edges[g.nodes[moves[n_moves - 1]].edge]) {
      if (n_moves == most) return -1;
      moves[n_moves++] = g.values[from].node;
    }
    node_info const m = g.nodes[g.values[from].node];
    if (n_moves == 0 || !again::is_cheap(g, m)) return -1;
    for (int k = 0; k < m.operands; ++k)
      if (!g.values[g.edges[m.edge + k]].type.same_shape(g.values[from].type)) return -1;
    int in[tracing::max_operands]{};
    std::int64_t attr[4 * max_rank + 4]{};  // the pool that has them may grow
    for (int k = 0; k < m.operands; ++k) {
      in[k] = g.edges[m.edge + k];
      for (int i = n_moves; i-- > 0;) {
        node_info const move = g.nodes[moves[i]];
        tensor_type t = g.values[move.value].type;
        t.d = g.values[in[k]].type.d;
        for (int a = 0; a < move.attrs; ++a) attr[a] = g.attrs[move.attr + a];
        // as the operation's own memory it could be moved so; its operand may be a view itself
        if (!reads(g, of_, ops::table.at[move.op].form, attr, move.attrs, t, in + k, 0)) return -1;
        in[k] = note(g, w.write(move.op, &in[k], 1, attr, move.attrs, &t, 1));
      }
    }
    for (int a = 0; a < m.attrs; ++a) attr[a] = g.attrs[m.attr + a];
    tensor_type const t = g.values[id].type;
    return note(g, g.append(m.op, 0, in, m.operands, attr, m.attrs, &t, 1));
  }
  // A copy in the order batch, free, contracted (so that each group merges), seen in the old order.
  constexpr int copy_ordered(writer& w, int id, ops::dot_dims const& dims, int side) {
    tensor_type t = w.to.values[id].type;
    product_axes a(dims, side, t.rank);
    std::int64_t perm[max_rank]{}, back[max_rank]{};
    int r = 0;
    for (int i = 0; i < a.n_batch; ++i) perm[r++] = a.batch[i];
    for (int i = 0; i < a.n_free; ++i) perm[r++] = a.free[i];
    for (int i = 0; i < a.n_contract; ++i) perm[r++] = a.contract[i];
    tensor_type ordered{t.d, t.rank, {}};
    for (int i = 0; i < r; ++i) {
      ordered.e[i] = t.e[perm[i]];
      back[perm[i]] = i;
    }
    int x = note(w.to, w.write(code<ops::transpose_p>, &id, 1, perm, r, &ordered, 1));
    x = copy(w, x);
    return note(w.to, w.write(code<ops::transpose_p>, &x, 1, back, r, &t, 1));
  }
  // A slice whose offset no extent says (names stand in its strides): read by index, axis by axis.
  constexpr int gathered_slice(writer& w, int id, std::int64_t const* attr, tensor_type const& out) {
    graph& g = w.to;
    for (int i = 0; i < out.rank; ++i) {
      tensor_type t = g.values[id].type, index{dtype::i64, 1, {out.e[i]}};
      auto const [start, size, step] = ops::slice_dim::read(attr, i);
      std::int64_t along = 0, both[] = {i, 0};
      if (start == 0 && step == 1 && t.e[i] == out.e[i]) continue;
      if (!is_memory(g, of_, id)) id = copy(w, id);
      t.e[i] = out.e[i];
      int at[] = {note(g, w.write(code<ops::iota_p>, nullptr, 0, &along, 1, &index, 1)), 0};
      for (auto [op, v] : {std::pair{code<ops::mul_p>, step}, std::pair{code<ops::add_p>, start}}) {
        at[1] = note(g, w.write(code<ops::full_p>, nullptr, 0, &v, 1, &index, 1));
        at[0] = note(g, w.write(op, at, 2, nullptr, 0, &index, 1));
      }
      int operands[] = {id, at[0]};
      id = note(g, w.write(code<ops::gather_p>, operands, 2, both, 2, &t, 1));
    }
    return id;
  }
  // The same reduction where the axes that go are the last, or stand before the rows of which they are sums.
  constexpr int trailing_reduction(writer& w, graph const& from, node_info const& n, int id) {
    graph& g = w.to;
    tensor_type x = g.values[id].type;
    std::int64_t axes[max_rank]{}, perm[max_rank]{};
    bool gone[max_rank]{};
    for (int i = 0; i < n.attrs; ++i) gone[from.attrs[n.attr + i]] = true;
    int rows = x.rank;  // axes from this one on
    extent row = 1;
    for (; !gone[rows - 1]; --rows) row = ext::mul(row, x.e[rows - 1]);
    bool const is_row = row < 0 || row >= tuning::short_rows::least_summed;
    if (ops::table.at[n.op].form == ops::form::arg_reduction || !is_row) rows = x.rank;
    int k = 0;
    for (int pass = 0; pass < 2; ++pass)
      for (int i = 0; i < rows; ++i) {
        if (gone[i] != (pass == 1)) continue;
        if (gone[i]) axes[k - (rows - n.attrs)] = k;
        perm[k++] = i;
      }
    for (; k < x.rank; ++k) perm[k] = k;
    tensor_type moved{x.d, x.rank, {}};
    for (int i = 0; i < x.rank; ++i) moved.e[i] = x.e[perm[i]];
    id = note(g, w.write(code<ops::transpose_p>, &id, 1, perm, x.rank, &moved, 1));
    return note(g, write_again(w, from, n, &id, axes));
  }
};

/// Is the graph legal as it is? Sets its views, as far as it is.
constexpr bool is_legal(graph const& g, int const* outputs, int n_out, view* views, bool in_block,
                        joined_pieces const& joined) {
  tracing::zeros<bool> taken;  // memory that is a result already
  for (int i = 0; i < g.n_nodes; ++i) {
    node_info const& n = g.nodes[i];
    ops::form f = ops::table.at[n.op].form;
    if (n.op == code<ops::update_p> && joined.last(i) >= 0) {
      if (joined.writer_of(g.edges[n.edge + 1]) < 0) return false;
    } else if (n.op == code<ops::update_p>)
      if (patching::operands p{};
          patching{g, views, in_block}.find(g.edges + n.edge, g.attrs + n.attr, g.values[n.value].type, p))
        return false;
    if (picks_from_nothing(g, f, g.attrs + n.attr, g.edges + n.edge)) return false;
    if (f != ops::form::pointwise)
      for (int k = 0; k < n.operands; ++k)
        if (!reads(g, views, f, g.attrs + n.attr, n.attrs, g.values[n.value].type, g.edges + n.edge, k)) return false;
    see(g, n, views);
  }
  for (int k = 0; k < n_out; ++k) {
    bool& again = taken.at[views[outputs[k]].root];
    if (again || !is_result(g, views, outputs[k])) return false;
    again = true;
  }
  return true;
}

/// The pass: most graphs are legal, and need not be written anew.
constexpr bool legalize(subject& s, graph& to, int* outputs) {
  joined_pieces const joined(*s.g, s.outputs, s.n_out);
  if (is_legal(*s.g, s.outputs, s.n_out, s.views, s.in_block, joined)) return false;
  view* views = s.views = s.other_views;
  tracing::zeros<int> copied;
  legalizer rule(views, s.in_block, joined, copied.at);
  tracing::zeros<bool> taken;  // memory that is a result already
  rewrite(*s.g, to, s.outputs, s.n_out, outputs, rule, [&](writer& w, int* out) {
    for (int k = 0; k < s.n_out; ++k) {
      out[k] = rule.result(w, out[k], taken.at[views[out[k]].root]);
      taken.at[views[out[k]].root] = true;
    }
  });
  return true;
}

}  // namespace etna::rewrite
