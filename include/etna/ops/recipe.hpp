// SPDX-License-Identifier: BSD-3-Clause
// Constants without a traced operand (a literal, zeros, a ramp) live in a small counted graph of
// their own in constant evaluation, until a traced operand takes it in. Also: the number that a
// scalar graph computes, so that grad(cube)(2.0) is a constant. Read next: ../transform/jvp.hpp.
#pragma once
#include "table.hpp"

namespace etna::trace {

inline constexpr capacity recipe_capacity{16, 48, 96, 64};

constexpr var recipe_full(tensor_type const& t, std::int64_t bits) {
  graph* g = graph::make(recipe_capacity);
  return emit(ops::code<ops::full_p>, nullptr, 0, &bits, 1, &t, g);
}
constexpr var recipe_data(tensor_type const& t, std::int64_t const* bits, int n) {
  graph* g = graph::make(recipe_capacity);
  return emit(ops::code<ops::literal_p>, nullptr, 0, bits, n, &t, g);
}

/// Evaluate equation by equation; only scalars without movement, which is what C++ numbers make.
constexpr double scalar_value(var v) {
  v = resolve(v);
  graph& g = *v.g;
  double* x = new double[std::size_t(g.n_values)]{};
  for (int i = 0; i < g.n_nodes && g.nodes[i].value <= v.id; ++i) {
    node_info const& n = g.nodes[i];
    if (n.level > 0 || g.values[n.value].type.rank != 0) continue;
    ops::row const& row = ops::row_of(n.op);
    if (n.op == ops::code<ops::full_p>) x[n.value] = bits_to_double(g.type(n.value).d, g.attrs[n.attr]);
    else if (row.form == ops::form::reshape || row.form == ops::form::broadcast || row.form == ops::form::transpose)
      x[n.value] = x[g.operand(n, 0)];
    else if ((row.form == ops::form::pointwise || row.form == ops::form::convert) && row.scalar.real) {
      double in[3]{};
      for (int k = 0; k < n.operands; ++k) in[k] = x[g.operand(n, k)];
      x[n.value] = row.scalar.real(in);
      if (g.type(n.value).d == dtype::f32) x[n.value] = double(float(x[n.value]));
      if (is_integer(g.type(n.value).d)) x[n.value] = double(std::int64_t(x[n.value]));
    }
  }
  double r = x[v.id];
  delete[] x;
  return r;
}

}  // namespace etna::trace
