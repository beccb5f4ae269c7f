// SPDX-License-Identifier: BSD-3-Clause
// An equation on its way into the new graph, as identities look at it. Read next: known_places.hpp.
#pragma once
#include "rewriter.hpp"

namespace etna::rewrite {

/// Of a constant's bits: clang takes no difference of infinities for a constant, and nvcc no comparison with NaN.
constexpr bool is_finite(dtype d, std::int64_t bits) { return !is_floating(d) || (bits >> 52 & 0x7ff) != 0x7ff; }

/// One equation on its way into the new graph.
struct term {
  writer& w;
  graph& g;
  int op;
  int const* in;
  int n;
  std::int64_t const* attr;
  int n_attr;
  tensor_type const& out;
  int source[tracing::max_operands]{};  // the node of each operand
  int from[tracing::max_operands]{};    // and its primitive
  int constants = 0;                    // operands that are the same number everywhere

  constexpr term(writer& w, int op, int const* in, int n, std::int64_t const* attr, int n_attr, tensor_type const& out)
      : w(w), g(w.to), op(op), in(in), n(n), attr(attr), n_attr(n_attr), out(out) {
    for (int k = 0; k < n; ++k) {
      source[k] = g.values[in[k]].node;
      from[k] = g.nodes[source[k]].op;
      constants += from[k] == code<ops::full_p>;
    }
  }
  constexpr term(writer& w, graph const& old, node_info const& n, int const* in)
      : term(w, n.op, in, n.operands, old.attrs + n.attr, n.attrs, old.values[n.value].type) {}
  constexpr node_info const& node(int k) const { return g.nodes[source[k]]; }
  constexpr tensor_type const& type(int k) const { return g.values[in[k]].type; }
  constexpr bool constant(int k) const { return from[k] == code<ops::full_p>; }
  constexpr double number(int k) const { return bits_to_double(type(k).d, g.attrs[node(k).attr]); }
  constexpr bool constant(int k, double v) const { return finite(k) && number(k) == v; }
  /// -0 + 0 and -0 - (-0) are 0, so x - 0 and x + -0 are x, but x + 0 only in a derivative.
  constexpr bool is_nothing(int k, bool added) const {
    if (!constant(k, 0)) return false;
    return !is_floating(type(k).d) || g.derived || (g.attrs[node(k).attr] < 0) == added;
  }
  constexpr bool finite(int k) const { return constant(k) && is_finite(type(k).d, g.attrs[node(k).attr]); }
  /// A power of two whose reciprocal f32 holds too, so that a product with that is the quotient to the last bit.
  constexpr bool power_of_two(int k) const {
    if (!is_floating(type(k).d) || !finite(k)) return false;
    double v = number(k) < 0 ? -number(k) : number(k);
    return v >= 0x1p-100 && v <= 0x1p100 && (std::bit_cast<std::int64_t>(v) & 0xfffffffffffff) == 0;
  }
  constexpr int full(double v) const { return full_bits(to_bits(out.d, v)); }
  constexpr int full_bits(std::int64_t bits) const { return w.write(code<ops::full_p>, nullptr, 0, &bits, 1, &out, 1); }
  template <class P> constexpr int make(int a, int b) const {
    int both[] = {a, b};
    return w.write(code<P>, both, 2, nullptr, 0, &out, 1);
  }
};

constexpr int nothing = -1;

}  // namespace etna::rewrite
