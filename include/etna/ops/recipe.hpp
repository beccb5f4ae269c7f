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

/// A whole number as one of element type d: as C++ converts it.
constexpr std::int64_t wrapped(dtype d, std::int64_t v) {
  switch (d) {
    case dtype::u8: return std::uint8_t(v);
    case dtype::u32: return std::uint32_t(v);
    case dtype::i32: return std::int32_t(v);
    default: return to_bits(d, v);
  }
}

/// Evaluate equation by equation; only scalars without movement, which is what C++ numbers make. A number that comes from
/// anything else (an array, a loop, a branch) is no constant, and the evaluation ends.
/// Numbers are kept as bits, since a double does not hold all 64-bit integers.
constexpr std::int64_t scalar_bits(var v) {
  v = resolve(v);
  graph& g = *v.g;
  std::int64_t* x = new std::int64_t[std::size_t(g.n_values)]{};
  bool* unknown = new bool[std::size_t(g.n_values)]{};
  for (int i = 0; i < g.n_nodes && g.nodes[i].value <= v.id; ++i) {
    node_info const& n = g.nodes[i];
    if (n.level > 0) continue;
    ops::row const& row = ops::row_of(n.op);
    bool counts = row.form == ops::form::source || row.form == ops::form::reshape || row.form == ops::form::broadcast ||
                  row.form == ops::form::transpose || row.form == ops::form::pointwise || row.form == ops::form::convert;
    bool not_here = !counts || g.values[n.value].type.rank != 0;
    for (int k = 0; k < n.operands; ++k) not_here = not_here || unknown[g.operand(n, k)];
    for (int k = 0; k < n.results; ++k) unknown[n.value + k] = not_here;
    if (not_here) continue;
    dtype d = g.type(n.value).d;
    if (n.op == ops::code<ops::full_p>) x[n.value] = g.attrs[n.attr];
    else if (row.form == ops::form::reshape || row.form == ops::form::broadcast || row.form == ops::form::transpose)
      x[n.value] = x[g.operand(n, 0)];
    else if (row.form == ops::form::pointwise || row.form == ops::form::convert) {
      std::int64_t in[3]{};
      double real[3]{};
      bool whole = row.scalar.whole != nullptr;
      for (int k = 0; k < n.operands; ++k) {
        dtype from = g.type(g.operand(n, k)).d;
        in[k] = x[g.operand(n, k)];
        real[k] = bits_to_double(from, in[k]);
        whole = whole && !is_floating(from);
      }
      if (whole) x[n.value] = wrapped(d, row.scalar.whole(in));
      else x[n.value] = to_bits(d, row.scalar.real(real));
    }
  }
  if (unknown[v.id]) throw "a number outside jit that comes from an array, a loop or a branch is no constant";
  std::int64_t r = x[v.id];
  delete[] x;
  delete[] unknown;
  return r;
}

}  // namespace etna::trace
