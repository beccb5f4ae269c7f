// SPDX-License-Identifier: BSD-3-Clause
// A product of f32 whose operands were bf16 or f16 reads these: half of the memory, and no copies. So conversions in
// front of products go, and what moves elements between moves narrow ones. Read next: legalize.hpp.
#pragma once
#include "pass.hpp"

namespace etna::rewrite::narrow {

/// Types whose products have a body (lower/gemm_narrow.hpp).
constexpr bool has_body(dtype d) { return d == dtype::bf16 || d == dtype::f16; }
constexpr bool moves(graph const& g, node_info const& n) {
  ops::form const f = ops::table.at[n.op].form;
  return n.operands == 1 && g.values[n.value].type.d == g.values[g.edges[n.edge]].type.d &&
         (f == ops::form::broadcast || f == ops::form::reshape || f == ops::form::transpose || f == ops::form::slice ||
          f == ops::form::windows);
}
/// Is it zeros in which something is put: padding?
constexpr bool pads(graph const& g, node_info const& n) {
  node_info const& around = g.nodes[g.values[g.edges[n.edge]].node];
  return n.op == code<ops::update_p> && around.op == code<ops::full_p> && g.attrs[around.attr] == 0;
}

/// An operand as what it was before it was made f32: what moves its elements, the last first; behind these a
/// conversion from `d`.
struct origin {
  static constexpr int most = 12;
  int value = -1, n = 0;  // -1: it was none
  dtype d = dtype::f32;
  bool rounded = false;  // `value` is f32, and is made narrow there
  int move[most]{};      // nodes

  constexpr origin(graph const& g, int x) {
    for (;;) {
      x = behind_moves(g, x);
      node_info const& wide = g.nodes[g.values[x].node];
      dtype const from = wide.operands == 1 ? g.values[g.edges[wide.edge]].type.d : dtype::f32;
      bool const widens = wide.op == code<ops::convert_p> && has_body(from) && (!is_there() || from == d);
      if (rounded && !widens) value = x;
      if (!widens) return;
      d = from;
      rounded = false;
      value = behind_moves(g, g.edges[wide.edge]);
      // what was moved and then rounded is as well rounded and then moved: memory has it as it was computed
      node_info const& near = g.nodes[g.values[value].node];
      rounded = near.op == code<ops::convert_p> && g.values[g.edges[near.edge]].type.d == dtype::f32;
      if (!rounded) return;
      x = g.edges[near.edge];
    }
  }
  constexpr bool is_there() const { return value >= 0; }

  constexpr int write(writer& w) const {
    int x = value;
    if (rounded) {
      tensor_type const t = w.to.values[x].type.with(d);
      std::int64_t const to = std::int64_t(d);
      x = w.write(code<ops::convert_p>, &x, 1, &to, 1, &t, 1);
    }
    for (int i = n - 1; i >= 0; --i) {
      node_info const m = w.to.nodes[move[i]];
      tensor_type const t = w.to.values[m.value].type.with(d);
      std::int64_t const zero = 0;
      int const around = m.operands == 1 ? x : w.write(code<ops::full_p>, nullptr, 0, &zero, 1, &t, 1),
                in[] = {around, x};
      x = w.write(m.op, in, m.operands, w.to.attrs + m.attr, m.attrs, &t, 1);
    }
    return x;
  }

 private:
  constexpr int behind_moves(graph const& g, int x) {
    for (;;) {
      node_info const& m = g.nodes[g.values[x].node];
      if (n == most || m.operands == 0 || (!moves(g, m) && !pads(g, m))) return x;
      if (rounded && ops::table.at[m.op].form == ops::form::slice) return x;  // a part is rounded, not the whole
      move[n++] = g.values[x].node;
      x = g.edges[m.edge + m.operands - 1];
    }
  }
};

constexpr bool is_product(graph const& g, node_info const& n) {
  return ops::table.at[n.op].form == ops::form::contraction && g.values[n.value].type.d == dtype::f32 &&
         g.values[g.edges[n.edge]].type.d == dtype::f32;
}
/// Has each product enough to do, if it is of this type? Packing costs where rows are few.
constexpr bool is_large(dtype d, tensor_type const& x, tensor_type const& out, ops::dot_dims const& dims) {
  using limits = tuning::narrow;
  if (!out.is_static() || !x.is_static()) return true;
  extent batch = 1, work = out.size();
  for (int i = 0; i < dims.n_batch; ++i) batch *= out.e[i];
  for (int i = 0; i < dims.n_contract; ++i) work *= x.e[dims.lhs_contract[i]];
  return batch > 0 && work / batch >= (d == dtype::bf16 && limits::bf16_pairs ? limits::least_of_pairs : limits::least);
}
/// Both operands, where the product is one for this pass.
struct operands {
  origin x, y;
  bool fit;
  constexpr operands(graph const& g, int const* in, tensor_type const& out, std::int64_t const* attr)
      : x(g, in[0]), y(g, in[1]) {
    fit = x.is_there() && y.is_there() && x.d == y.d &&
          is_large(x.d, g.values[in[0]].type, out, ops::dot_dims::read(attr));
  }
};
/// The pass.
constexpr bool pass(subject& s, graph& to, int* outputs) {
  return rewrite_where(
      s, to, outputs,
      [](graph const& g, node_info const& n) {
        return is_product(g, n) && operands(g, g.edges + n.edge, g.values[n.value].type, g.attrs + n.attr).fit;
      },
      [](writer& w, graph const& from, node_info const& n, int* in) {
        if (!is_product(from, n)) return keep(w, from, n, in);
        operands const of(w.to, in, from.values[n.value].type, from.attrs + n.attr);
        if (!of.fit) return keep(w, from, n, in);
        in[0] = of.x.write(w);
        in[1] = of.y.write(w);
        return keep(w, from, n, in);
      });
}

}  // namespace etna::rewrite::narrow
