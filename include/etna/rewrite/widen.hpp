// SPDX-License-Identifier: BSD-3-Clause
// Numbers of 8 and 16 bits are what memory holds; registers compute in 32. So an equation of them becomes one of f32 or
// i32 between conversions, and what moves elements moves them as they lie. What a chain of floating equations hands on
// is not rounded between: only what is stored, or converted by the program, is. Integers wrap behind each. Integers
// stay narrow where the row has `any_width`: a kernel of these alone has a register of bytes. Read next: simplify.hpp.
#pragma once
#include "pass.hpp"

namespace etna::rewrite {

/// Does it only pick or move elements, or run blocks, whose equations are another graph's?
constexpr bool moves_elements(int op) {
  ops::row const& r = ops::table.at[op];
  return r.moves >= 0 || r.wide.there || r.effect;
}
/// The operands of what moves elements that are elements.
constexpr int elements_among(node_info const& n) {
  int const moves = ops::table.at[n.op].moves;
  return moves >= 0 ? moves : n.operands;
}

class widener {
 public:
  /// wide   by new value, zeros: what it was before it was rounded, + 1
  constexpr explicit widener(int* wide) : wide_(wide) {}

  static constexpr bool applies(graph const& g, node_info const& n) {
    if (n.level > 0 || stays_narrow(g, n)) return false;
    bool const moves = moves_elements(n.op);
    for (int k = moves ? elements_among(n) : 0; k < n.operands; ++k)
      if (is_narrow(g.values[g.edges[n.edge + k]].type.d)) return n.op != code<ops::convert_p> || converts(g, n);
    if (moves) return false;
    for (int k = 0; k < n.results; ++k)
      if (is_narrow(g.values[n.value + k].type.d)) return n.op != code<ops::convert_p> || converts(g, n);
    return false;
  }

  constexpr int operator()(writer& w, graph const& from, node_info const& n, int* in) {
    tensor_type const& out = from.values[n.value].type;
    if (moves_elements(n.op)) return move(w, from, n, in);
    if (!applies(from, n)) return keep(w, from, n, in);
    if (n.op == code<ops::convert_p>) {
      int const middle = converted(w, in[0], dtype::f32);
      return converted(w, middle, out.d);
    }
    bool const product = n.op == code<ops::dot_general_p>;
    for (int k = 0; k < n.operands; ++k)
      in[k] = product ? converted(w, in[k], computed_in(w.to.values[in[k]].type.d)) : wide(w, in[k]);
    return rounded(w, from, n, write_wide(w, from, n, in));
  }

 private:
  int* wide_;

  static constexpr bool stays_narrow(graph const& g, node_info const& n) {
    return ops::table.at[n.op].any_width && !is_floating(g.values[g.edges[n.edge]].type.d);
  }

  /// Is it a conversion of two steps? Through f32, where that is exact.
  static constexpr bool converts(graph const& g, node_info const& n) {
    dtype const x = g.values[g.edges[n.edge]].type.d, y = g.values[n.value].type.d;
    if (is_narrow(x) && is_floating(x)) return y != dtype::f32;
    return is_narrow(y) && is_floating(y) && (is_narrow(x) || x == dtype::boolean);
  }
  static constexpr int converted(writer& w, int x, dtype d) {
    tensor_type const type = w.to.values[x].type.with(d);
    std::int64_t const to = std::int64_t(d);
    return w.to.values[x].type.d == d ? x : w.write(code<ops::convert_p>, &x, 1, &to, 1, &type, 1);
  }
  constexpr int wide(writer& w, int x) const {
    dtype const d = w.to.values[x].type.d;
    return !is_narrow(d) ? x : wide_[x] ? wide_[x] - 1 : converted(w, x, computed_in(d));
  }
  /// The equation in wide types.
  static constexpr int write_wide(writer& w, graph const& from, node_info const& n, int const* in) {
    tensor_type types[tracing::max_results]{};
    for (int k = 0; k < n.results; ++k) {
      tensor_type const& t = from.values[n.value + k].type;
      types[k] = t.with(computed_in(t.d));
    }
    std::int64_t attr[4 * max_rank + 4]{};
    std::int64_t const* a = from.attrs + n.attr;
    if (n.op == code<ops::dot_general_p>) {
      ops::dot_dims d = ops::dot_dims::read(a);
      d.accumulate = computed_in(d.accumulate);
      d.write(attr);
      a = attr;
    }
    return w.write(n.op, in, n.operands, a, n.attrs, types, n.results);
  }
  /// Its results in the types of the program.
  constexpr int rounded(writer& w, graph const& from, node_info const& n, int first) {
    int r[tracing::max_results]{};
    for (int k = 0; k < n.results; ++k) {
      dtype const d = from.values[n.value + k].type.d;
      r[k] = converted(w, first + k, d);
      if (is_narrow(d) && is_floating(d)) wide_[r[k]] = first + k + 1;
    }
    if (n.results == 1) return r[0];
    int const copies = w.to.n_values;  // results follow one another
    for (int k = 0; k < n.results; ++k) w.write_new(code<ops::copy_p>, r[k], w.to.values[r[k]].type);
    return copies;
  }
  /// Elements move as they lie; what is a view of computed ones is computed, too.
  constexpr int move(writer& w, graph const& from, node_info const& n, int* in) {
    ops::form const f = ops::table.at[n.op].form;
    int const elements = elements_among(n);
    for (int k = elements; k < n.operands; ++k) in[k] = wide(w, in[k]);
    bool const is_view = f == ops::form::pointwise || f == ops::form::broadcast || f == ops::form::reshape ||
                         f == ops::form::transpose || f == ops::form::slice || f == ops::form::windows;
    bool computed = false;
    for (int k = 0; is_view && k < elements; ++k) computed = computed || wide_[in[k]];
    if (!computed) return keep(w, from, n, in);
    for (int k = 0; k < elements; ++k) in[k] = wide(w, in[k]);
    return rounded(w, from, n, write_wide(w, from, n, in));
  }
};

/// The pass.
constexpr bool widen(subject& s, graph& to, int* outputs) {
  tracing::zeros<int> wide;
  return rewrite_where(s, to, outputs, widener::applies, widener(wide.at));
}

}  // namespace etna::rewrite
