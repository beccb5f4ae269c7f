// SPDX-License-Identifier: BSD-3-Clause
// A product that sums nothing: each number of one operand times each of the other, as the gradients of a layer for each
// example. It runs with the speed of memory, in one kernel with what makes its operands and what reads it; of blocks it
// has nothing. Read next: thin.hpp.
#pragma once
#include "pass.hpp"

namespace etna::rewrite {

namespace outer {

using limits = tuning::outer;

constexpr bool applies(graph const& g, node_info const& n) {
  if (ops::table.at[n.op].form != ops::form::contraction) return false;
  ops::dot_dims const d = ops::dot_dims::read(g.attrs + n.attr);
  tensor_type const &x = g.values[g.edges[n.edge]].type, &y = g.values[g.edges[n.edge + 1]].type,
                    &out = g.values[n.value].type;
  if (x.d != d.accumulate || y.d != d.accumulate || !out.is_static() || out.size() < limits::least) return false;
  for (int i = 0; i < d.n_contract; ++i)
    if (x.e[d.lhs_contract[i]] != 1) return false;
  extent row = 1;
  for (int i = x.rank - d.n_contract; i < out.rank; ++i) row *= out.e[i];
  return row >= limits::least_row;
}
/// An operand as it meets each element of the result: its batch axes are the first there, its free ones begin at
/// `free_at`.
constexpr int side(writer& w, int x, product_axes const& a, int free_at, tensor_type const& out) {
  std::int64_t perm[max_rank]{};
  int at[max_rank]{}, n = 0;
  for (int i = 0; i < a.n_contract; ++i) perm[n++] = a.contract[i];
  for (int i = 0; i < a.n_batch; ++i) at[i] = i, perm[n++] = a.batch[i];
  for (int i = 0; i < a.n_free; ++i) at[a.n_batch + i] = free_at + i, perm[n++] = a.free[i];
  return spread(w, x, perm, a.n_contract, at, out);
}
/// The rule of the pass.
constexpr int rule(writer& w, graph const& from, node_info const& n, int const* in) {
  if (!applies(from, n)) return keep(w, from, n, in);
  ops::dot_dims const d = ops::dot_dims::read(from.attrs + n.attr);
  tensor_type const& out = from.values[n.value].type;
  product_axes const a(d, 0, w.to.values[in[0]].type.rank), b(d, 1, w.to.values[in[1]].type.rank);
  int const both[] = {side(w, in[0], a, d.n_batch, out), side(w, in[1], b, d.n_batch + a.n_free, out)};
  return w.write(code<ops::mul_p>, both, 2, nullptr, 0, &out, 1);
}

/// The pass.
constexpr bool pass(subject& s, graph& to, int* outputs) { return rewrite_where(s, to, outputs, applies, rule); }

}  // namespace outer

}  // namespace etna::rewrite
