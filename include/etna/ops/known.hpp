// SPDX-License-Identifier: BSD-3-Clause
// Which values have a number that the program may read. While compiling it is known where it comes from C++ numbers
// alone, so grad(cube)(2.0) is a constant; everywhere it is nobody's business that a derivative follows. Read next:
// ../transform/jvp.hpp.
#pragma once
#include "recipe.hpp"

namespace etna::tracing {

/// Is this a floating value by which, or through which, something is being differentiated now? It is followed as the
/// jvp pass does.
///
/// cost    one pass over what was written since the outermost derivative began
constexpr bool is_followed(graph const& g, int id) {
  if (g.n_followed == 0 || !is_floating(g.type(id).d)) return false;
  int base = g.followed[0].first;
  for (int i = 1; i < g.n_followed; ++i)
    if (g.followed[i].first < base) base = g.followed[i].first;
  if (id < base) return false;
  bool* marks = new bool[std::size_t(id - base + 1)]{};
  for (int i = 0; i < g.n_followed; ++i)
    for (int k = g.followed[i].first; k < g.followed[i].top && k <= id; ++k) marks[k - base] = true;
  ops::row const* rows = ops::rows();
  for (int i = g.values[base].node; i <= g.values[id].node; ++i) {
    node_info const& n = g.nodes[i];
    ops::row const& row = rows[n.op];
    bool any = false;
    for (int k = 0; k < n.operands && row.differentiable; ++k)
      if (int q = g.operand(n, k); q >= base && marks[q - base])
        any = any || row.wide.there || row.jvp_jointly.there || row.jvp[k].there;
    for (int k = n.value; any && k < n.value + n.results && k <= id; ++k) marks[k - base] = is_floating(g.type(k).d);
  }
  bool is = marks[id - base];
  delete[] marks;
  return is;
}

inline constexpr int unknown_number =
    35;  // in place of a row of message/failure.hpp: the trace is written again for it
/// A number is asked for and is not known: the evaluation ends, or the program notes it, goes on with some number, and
/// is refused when its trace is complete. What the number drives must go on well and end: conditions do not hold and
/// numbers are 1, which divides; later conditions hold, and numbers are large.
constexpr std::int64_t unknown_bits(graph& g, dtype d) {
  constexpr int few = 64;
  if (g.on_heap || ++g.reads > graph::most_reads) message::E035_a_number_is_read_of_a_value_that_a_transform_follows();
  g.error = unknown_number;
  if (d == dtype::boolean) return g.reads > few;
  double const large = is_integer(d) && row_of(d).most < 1000000000 ? double(row_of(d).most) : 1e9;
  return to_bits(d, g.reads <= few ? 1. : large);
}

/// Equation by equation: only scalars without movement, which is what C++ numbers make, and constant arrays as they
/// were written. Numbers are kept as bits, since a double does not hold all 64-bit integers.
constexpr std::int64_t number_bits(var v, extent at) {
  v = resolve(v);
  graph& g = *v.g;
  dtype wanted = g.type(v.id).d;
  if (g.values[v.id].level > 0 || is_followed(g, v.id)) return unknown_bits(g, wanted);
  node_info const& last = g.nodes[g.values[v.id].node];
  if (last.op == ops::code<ops::full_p>) return g.attrs[last.attr];
  if (last.op == ops::code<ops::literal_p>) return g.attrs[last.attr + at];
  std::int64_t* x = new std::int64_t[std::size_t(g.n_values)]{};
  bool* unknown = new bool[std::size_t(g.n_values)]{};
  for (int i = 0; i < g.n_nodes && g.nodes[i].value <= v.id; ++i) {
    node_info const& n = g.nodes[i];
    ops::row const& row = ops::row_of(n.op);
    bool counts = n.op == ops::code<ops::full_p> || row.form == ops::form::reshape ||
                  row.form == ops::form::broadcast || row.form == ops::form::transpose ||
                  row.form == ops::form::pointwise || row.form == ops::form::convert;
    bool not_here = !counts || n.level > 0 || g.values[n.value].type.rank != 0;
    for (int k = 0; k < n.operands; ++k) not_here = not_here || unknown[g.operand(n, k)];
    for (int k = 0; k < n.results; ++k) unknown[n.value + k] = not_here;
    if (not_here) continue;
    dtype d = g.type(n.value).d;
    if (n.op == ops::code<ops::full_p>) x[n.value] = g.attrs[n.attr];
    else if (row.form == ops::form::reshape || row.form == ops::form::broadcast || row.form == ops::form::transpose)
      x[n.value] = x[g.operand(n, 0)];
    else {
      std::int64_t in[3]{};
      double real[3]{};
      bool whole = row.scalar.whole.there, natural = false;
      for (int k = 0; k < n.operands; ++k) {
        dtype from = g.type(g.operand(n, k)).d;
        in[k] = x[g.operand(n, k)];
        real[k] = bits_to_double(from, in[k]);
        whole = whole && !is_floating(from);
        natural = natural || from == dtype::u64;
      }
      if (row.form == ops::form::convert) x[n.value] = converted_bits(g.type(g.operand(n, 0)).d, in[0], d);
      else if (whole && natural) {
        std::uint64_t without_sign[3]{};
        for (int k = 0; k < 3; ++k) without_sign[k] = std::uint64_t(in[k]);
        x[n.value] = wrapped(d, std::int64_t(row.scalar.natural(without_sign)));
      } else if (whole) x[n.value] = wrapped(d, row.scalar.whole(in));
      else x[n.value] = to_bits(d, row.scalar.real(real));
    }
  }
  std::int64_t r = unknown[v.id] ? unknown_bits(g, wanted) : x[v.id];
  delete[] x;
  delete[] unknown;
  return r;
}

constexpr void refuse_memory(var v) {
  if (!v.g) message::E035_a_number_is_read_of_a_value_that_a_transform_follows();
  v = resolve(v);
  unknown_bits(*v.g, v.g->type(v.id).d);
}

}  // namespace etna::tracing
