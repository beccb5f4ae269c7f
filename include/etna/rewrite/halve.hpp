// SPDX-License-Identifier: BSD-3-Clause
// A thin product with a matrix becomes two, each with half of the matrix' rows, and their sum. So two threads read the
// rows that they also update: what one of them wrote is in its own cache. Shared by columns, half of the matrix would
// go from cache to cache in each step of a training loop. It is done for any number of threads, so bits are the same.
// Read next: outer.hpp.
#pragma once
#include "pass.hpp"

namespace etna::rewrite {

namespace halve {

using limits = tuning::halve;

constexpr bool applies(graph const& g, node_info const& n) {
  if (ops::table.at[n.op].form != ops::form::contraction) return false;
  ops::dot_dims const d = ops::dot_dims::read(g.attrs + n.attr);
  tensor_type const& out = g.values[n.value].type;
  if (d.n_batch != 0 || d.n_contract != 1 || !out.is_static()) return false;
  for (int side = 0; side < 2; ++side) {
    int const id = g.edges[n.edge + side], axis = (side ? d.rhs_contract : d.lhs_contract)[0];
    tensor_type const &matrix = g.values[id].type, &other = g.values[g.edges[n.edge + 1 - side]].type;
    if (!matrix.is_static() || !is_floating(matrix.d) || matrix.d != d.accumulate || matrix.rank == max_rank ||
        other.rank == max_rank || out.rank == max_rank)
      return false;
    extent const rows = matrix.e[axis], bytes = matrix.size() * bytes_of(matrix.d);
    if (rows >= limits::least_rows && rows % 2 == 0 && bytes >= limits::least && bytes <= limits::most &&
        limits::thin * out.size() <= matrix.size() && behind_transposes(g, id).axis[axis] == 0)
      return true;  // first in memory
  }
  return false;
}
/// x with an axis in two: halves, and places in a half.
constexpr int in_halves(writer& w, int x, int axis) {
  tensor_type const& from = w.to.values[x].type;
  tensor_type t{from.d, from.rank + 1, {}};
  for (int i = 0; i < t.rank; ++i)
    t.e[i] = i == axis ? 2 : i == axis + 1 ? from.e[axis] / 2 : from.e[i < axis ? i : i - 1];
  return reshaped(w, x, t);
}
/// One of the halves: x[half].
constexpr int part(writer& w, int x, int half, tensor_type const& out) {
  tensor_type t = w.to.values[x].type;
  t.e[0] = 1;
  ops::slice_dim block[max_rank]{};
  for (int i = 0; i < t.rank; ++i) block[i] = {i == 0 ? half : 0, t.e[i], 1};
  ops::dims_as_words const attr(block, t.rank);
  int const one = w.write(code<ops::slice_p>, &x, 1, attr.a, attr.n, &t, 1);
  return reshaped(w, one, out);
}
/// The rule of the pass.
constexpr int rule(writer& w, graph const& from, node_info const& n, int const* in) {
  if (!applies(from, n)) return keep(w, from, n, in);
  ops::dot_dims d = ops::dot_dims::read(from.attrs + n.attr);
  int const halves[] = {in_halves(w, in[0], d.lhs_contract[0]), in_halves(w, in[1], d.rhs_contract[0])};
  d.n_batch = 1;
  d.lhs_batch[0] = d.lhs_contract[0]++;
  d.rhs_batch[0] = d.rhs_contract[0]++;
  tensor_type const& out = from.values[n.value].type;
  tensor_type both{out.d, out.rank + 1, {2}};
  for (int i = 0; i < out.rank; ++i) both.e[i + 1] = out.e[i];
  std::int64_t attr[4 * max_rank + 4]{};
  int const count = d.write(attr), product = w.write(n.op, halves, 2, attr, count, &both, 1);
  int const parts[] = {part(w, product, 0, out), part(w, product, 1, out)};
  return w.write(code<ops::add_p>, parts, 2, nullptr, 0, &out, 1);
}

/// The pass.
constexpr bool pass(subject& s, graph& to, int* outputs) { return rewrite_where(s, to, outputs, applies, rule); }

}  // namespace halve

}  // namespace etna::rewrite
