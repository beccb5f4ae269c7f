// SPDX-License-Identifier: BSD-3-Clause
// Products of what is put together from pieces with something small: products of the pieces, so that these are never
// put together. `dot(concatenate<1>(a, b), w)` is `dot(a, w[:m]) + dot(b, w[m:])`. Read next: put_together.hpp.
#pragma once
#include "term.hpp"
#include "view.hpp"

namespace etna::rewrite {

/// The pieces of an array that are put side by side along one axis, if it is that and nothing else.
struct side_by_side {
  static constexpr int most = 16;
  static constexpr extent least = 4;  // elements: of shorter ones each product would be a number times a row
  struct part {
    int id;
    extent start, size;
  };
  int axis = -1, count = 0;  // in ascending order; none: it is not that
  part parts[most]{};

  constexpr side_by_side(graph const& g, int id) {
    if (g.values[id].type.is_static() && !find(g, id)) count = 0;
  }

 private:
  constexpr bool find(graph const& g, int id) {
    tensor_type const& whole = g.values[id].type;
    extent all = 0;
    for (node_info const* n = &g.nodes[g.values[id].node]; n->op == code<ops::update_p> && count < most;
         n = &g.nodes[g.values[g.edges[n->edge]].node]) {
      int const piece = g.edges[n->edge + 1];
      part p{piece, 0, 0};
      for (int i = 0; i < whole.rank; ++i) {
        ops::update_dim const at = ops::update_dim::read(g.attrs + n->attr, i);
        extent const size = g.values[piece].type.e[i];
        if (size == whole.e[i]) continue;
        if (axis >= 0 && axis != i) return false;
        if (p.size > 0 || (at.step != 1 && size > 1)) return false;
        axis = i;
        p.start = at.start;
        p.size = size;
      }
      if (p.size < least) return false;
      int k = count++;
      for (; k > 0 && parts[k - 1].start > p.start; --k) parts[k] = parts[k - 1];
      parts[k] = p;
      all += p.size;
      if (all == whole.e[axis]) break;
    }
    for (int k = 0; k < count; ++k)
      if (parts[k].start != (k ? parts[k - 1].start + parts[k - 1].size : 0)) return false;
    return count > 1 && all == whole.e[axis];
  }
};

/// A block of an axis.
constexpr int block_of(writer& w, int id, int axis, side_by_side::part const& p) {
  tensor_type t = w.to.values[id].type;
  ops::slice_dim block[max_rank]{};
  for (int i = 0; i < t.rank; ++i) block[i] = {0, t.e[i], 1};
  block[axis] = {p.start, p.size, 1};
  t.e[axis] = p.size;
  ops::dims_as_words const attr(block, t.rank);
  return w.write(code<ops::slice_p>, &id, 1, attr.a, attr.n, &t, 1);
}

/// Where the pieces lie along a summed axis a sum of products, and along a free axis products side by side. The other
/// operand and the result are small beside the pieces.
constexpr int product_of_pieces(term const& t) {
  using namespace ops;
  constexpr extent small = 8;  // of so many elements of the pieces one at most
  dot_dims const d = dot_dims::read(t.attr);
  for (int s = 0; s < 2; ++s) {
    tensor_type const whole = t.type(s), other = t.type(1 - s);
    if (t.from[s] != code<update_p> || !whole.is_static() || !other.is_static() || !t.out.is_static()) continue;
    if (other.size() * small > whole.size() || t.out.size() * small > whole.size()) continue;
    side_by_side const pieces(t.g, t.in[s]);
    if (pieces.count == 0) continue;
    product_axes const of(d, s, whole.rank);
    int in[] = {t.in[0], t.in[1]};
    for (int c = 0; c < d.n_contract; ++c) {
      if (of.contract[c] != pieces.axis) continue;
      int sum = nothing;
      for (int k = 0; k < pieces.count; ++k) {
        in[s] = pieces.parts[k].id;
        in[1 - s] = block_of(t.w, t.in[1 - s], (s ? d.lhs_contract : d.rhs_contract)[c], pieces.parts[k]);
        int const product = t.w.write(t.op, in, 2, t.attr, t.n_attr, &t.out, 1);
        sum = sum < 0 ? product : t.make<add_p>(sum, product);
      }
      return sum;
    }
    int axis = d.n_batch + (s ? product_axes(d, 0, t.type(0).rank).n_free : 0);
    for (int f = 0; f < of.n_free; ++f, ++axis) {
      if (of.free[f] != pieces.axis) continue;
      int all = t.full(0);
      for (int k = 0; k < pieces.count; ++k) {
        in[s] = pieces.parts[k].id;
        tensor_type piece = t.out;
        piece.e[axis] = pieces.parts[k].size;
        std::int64_t attr[update_dim::words * max_rank]{};
        for (int i = 0; i < t.out.rank; ++i) update_dim{i == axis ? pieces.parts[k].start : 0, 1}.write(attr, i);
        int const both[] = {all, t.w.write(t.op, in, 2, t.attr, t.n_attr, &piece, 1)};
        all = t.w.write(code<update_p>, both, 2, attr, update_dim::words * t.out.rank, &t.out, 1);
      }
      return all;
    }
  }
  return nothing;
}

/// A slice of a product that sums nothing, perhaps of its transpose, is the product of slices. `t` is the slice.
constexpr int slice_of_outer_product(term const& t) {
  using namespace ops;
  bool const turned = t.from[0] == code<transpose_p>;
  node_info const product = t.g.nodes[turned ? t.g.values[t.g.edges[t.node(0).edge]].node : t.source[0]];
  if (product.op != code<dot_general_p> || !t.out.is_static()) return nothing;
  dot_dims const d = dot_dims::read(t.g.attrs + product.attr);
  if (d.n_contract > 0 || d.n_batch > 0) return nothing;
  slice_dim dims[max_rank]{};  // of the product's axes
  tensor_type const to = t.out;
  tensor_type out = to;
  std::int64_t perm[max_rank]{};
  for (int i = 0; i < out.rank; ++i) {
    perm[i] = turned ? t.g.attrs[t.node(0).attr + i] : i;
    dims[perm[i]] = slice_dim::read(t.attr, i);
    out.e[perm[i]] = to.e[i];
  }
  int in[] = {t.g.edges[product.edge], t.g.edges[product.edge + 1]};
  int const n = t.g.values[in[0]].type.rank;
  for (int s = 0, from = 0; s < 2; from = n, ++s) {
    tensor_type const whole = t.g.values[in[s]].type;
    tensor_type part = whole;
    slice_dim block[max_rank]{};
    bool any = false;
    for (int i = 0; i < whole.rank; ++i) {
      block[i] = dims[from + i];
      part.e[i] = out.e[from + i];
      any = any || part.e[i] != whole.e[i] || block[i].step != 1;
    }
    dims_as_words const attr(block, whole.rank);
    if (any) in[s] = t.w.write(code<slice_p>, &in[s], 1, attr.a, attr.n, &part, 1);
  }
  int const r = t.w.write(product.op, in, 2, t.g.attrs + product.attr, product.attrs, &out, 1);
  return turned ? t.w.write(code<transpose_p>, &r, 1, perm, out.rank, &to, 1) : r;
}

}  // namespace etna::rewrite
