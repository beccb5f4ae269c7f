// SPDX-License-Identifier: BSD-3-Clause
// Row: dot_general, the product under dot, matmul and einsum. Axes of the result: batch, then the
// free axes of the left operand, then those of the right one (as in XLA's DotGeneral).
#pragma once
#include "family.hpp"

namespace etna::ops {

namespace dot {
enum role { free_axis, batch_axis, contract_axis };
constexpr role role_of(int axis, int const* batch, int nb, int const* contract, int nc) {
  for (int i = 0; i < nb; ++i)
    if (batch[i] == axis) return batch_axis;
  for (int i = 0; i < nc; ++i)
    if (contract[i] == axis) return contract_axis;
  return free_axis;
}
/// Free axes of one side, in order.
constexpr int free_axes(int rank, int const* batch, int nb, int const* contract, int nc, int* out) {
  int n = 0;
  for (int i = 0; i < rank; ++i)
    if (role_of(i, batch, nb, contract, nc) == free_axis) out[n++] = i;
  return n;
}

constexpr var turn(var ct, var other, tensor_type const& mine, int const* my_batch, int const* my_contract,
                   int const* its_batch, int const* its_contract, dot_dims const& d, bool left) {
  tensor_type theirs = type_of(other);
  int my_free[max_rank]{}, its_free[max_rank]{};
  int nm = free_axes(mine.rank, my_batch, d.n_batch, my_contract, d.n_contract, my_free);
  int nt = free_axes(theirs.rank, its_batch, d.n_batch, its_contract, d.n_contract, its_free);
  // [batch, my free, their contracted], or these two the other way: in mine's order no axis moves, and readers see rows
  bool back = d.n_contract > 0 && nm > 0 && my_contract[0] < my_free[0];
  dot_dims g;
  g.precision = d.precision;
  g.accumulate = mine.d;
  g.n_batch = d.n_batch;
  g.n_contract = nt;
  for (int i = 0; i < d.n_batch; ++i) {
    (back ? g.rhs_batch : g.lhs_batch)[i] = i;
    (back ? g.lhs_batch : g.rhs_batch)[i] = its_batch[i];
  }
  for (int i = 0; i < nt; ++i) {
    (back ? g.rhs_contract : g.lhs_contract)[i] = d.n_batch + (left ? nm : 0) + i;
    (back ? g.lhs_contract : g.rhs_contract)[i] = its_free[i];
  }
  ct = convert(ct, theirs.d);
  var r = back ? dot_general(other, ct, g) : dot_general(ct, other, g);
  int perm[max_rank]{}, free_at = d.n_batch + (back ? d.n_contract : 0), contract_at = d.n_batch + (back ? 0 : nm);
  for (int i = 0; i < d.n_batch; ++i) perm[my_batch[i]] = i;
  for (int i = 0; i < nm; ++i) perm[my_free[i]] = free_at + i;
  // what is left of `other` stands in the order of its axes: find each contracted pair there
  for (int i = 0; i < d.n_contract; ++i) {
    int before = 0;
    for (int j = 0; j < d.n_contract; ++j) before += its_contract[j] < its_contract[i];
    perm[my_contract[i]] = contract_at + before;
  }
  return ops::transpose(r, perm);
}
}  // namespace dot

struct dot_general_p : movement {
  static constexpr auto name = "dot_general";
  static constexpr auto combined_by = dist::reduction::sum;
  static constexpr ops::form form = ops::form::contraction;
  static constexpr bool is_product = true;
  static constexpr int arity = 2;
  static constexpr accepts takes = accepts::numbers;
  static constexpr int flops = 2;

  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int, tensor_type* out) {
    dot_dims d = dot_dims::read(a);
    if (in[0].d != in[1].d) return dtype_not_accepted;
    out[0] = {d.accumulate, 0, {}};
    for (int i = 0; i < d.n_batch; ++i) {
      if (in[0].e[d.lhs_batch[i]] != in[1].e[d.rhs_batch[i]]) return shapes_differ;
      out[0].e[out[0].rank++] = in[0].e[d.lhs_batch[i]];
    }
    for (int i = 0; i < d.n_contract; ++i)
      if (in[0].e[d.lhs_contract[i]] != in[1].e[d.rhs_contract[i]]) return shapes_differ;
    int axes[max_rank]{};
    int n = dot::free_axes(in[0].rank, d.lhs_batch, d.n_batch, d.lhs_contract, d.n_contract, axes);
    for (int i = 0; i < n; ++i) out[0].e[out[0].rank++] = in[0].e[axes[i]];
    n = dot::free_axes(in[1].rank, d.rhs_batch, d.n_batch, d.rhs_contract, d.n_contract, axes);
    for (int i = 0; i < n; ++i) out[0].e[out[0].rank++] = in[1].e[axes[i]];
    return 0;
  }

  static constexpr void batch(batched_eqn const& e, var* out) {
    dot_dims d = dot_dims::read(e.attrs());
    bool l = e.is_batched[0], r = e.is_batched[1];
    for (int i = 0; i < d.n_batch; ++i) {
      d.lhs_batch[i] += l;
      d.rhs_batch[i] += r;
    }
    for (int i = 0; i < d.n_contract; ++i) {
      d.lhs_contract[i] += l;
      d.rhs_contract[i] += r;
    }
    if (l && r) {
      for (int i = d.n_batch; i > 0; --i) {
        d.lhs_batch[i] = d.lhs_batch[i - 1];
        d.rhs_batch[i] = d.rhs_batch[i - 1];
      }
      d.lhs_batch[0] = d.rhs_batch[0] = 0;
      ++d.n_batch;
      out[0] = dot_general(e.in[0], e.in[1], d);
      return;
    }
    // The mapped axis is the first free axis of its side: bring it to the front.
    int at = d.n_batch;
    if (r) at += type_of(e.in[0]).rank - d.n_batch - d.n_contract;
    out[0] = move_axis(dot_general(e.in[0], e.in[1], d), at, 0);
  }

  static constexpr auto jvp = per_operand{[](var t, eqn e) { return dot_general(t, e[1], dot_dims::read(e.attrs())); },
                                          [](var t, eqn e) { return dot_general(e[0], t, dot_dims::read(e.attrs())); }};

  // The cotangent [batch, free of x, free of y] contracted with y's free axes gives
  // [batch, free of x, contracted]: axes are then put where x has them. Likewise for y.
  static constexpr auto transpose = per_operand{
      [](var ct, eqn e) {
        dot_dims d = dot_dims::read(e.attrs());
        return dot::turn(ct, e[1], e.type(0), d.lhs_batch, d.lhs_contract, d.rhs_batch, d.rhs_contract, d, true);
      },
      [](var ct, eqn e) {
        dot_dims d = dot_dims::read(e.attrs());
        return dot::turn(ct, e[0], e.type(1), d.rhs_batch, d.rhs_contract, d.lhs_batch, d.lhs_contract, d, false);
      }};

  static constexpr sharding_rule sharding(tensor_type const* in, int, std::int64_t const* a, int) {
    sharding_rule r;
    dot_dims const d = dot_dims::read(a);
    int at = 0, axes[max_rank]{};
    for (; at < d.n_batch; ++at) {
      r.join(0, d.lhs_batch[at], at);
      r.join(1, d.rhs_batch[at], at);
    }
    int n = dot::free_axes(in[0].rank, d.lhs_batch, d.n_batch, d.lhs_contract, d.n_contract, axes);
    for (int i = 0; i < n; ++i) r.join(0, axes[i], at++);
    n = dot::free_axes(in[1].rank, d.rhs_batch, d.n_batch, d.rhs_contract, d.n_contract, axes);
    for (int i = 0; i < n; ++i) r.join(1, axes[i], at++);
    for (int i = 0; i < d.n_contract; ++i)
      r.operand[1].factor[d.rhs_contract[i]] = static_cast<signed char>(r.combine(0, d.lhs_contract[i]));
    return r;
  }
  static constexpr samples make_samples(interval from) {
    auto two = [&](tensor_type x, tensor_type y, dot_dims d) {
      d.accumulate = dtype::f64;
      sample s;
      s.n = 2;
      s.type[0] = x;
      s.type[1] = y;
      s.from[0] = s.from[1] = from;
      s.n_attr = d.write(s.attr);
      return s;
    };
    return {6,
            {two({dtype::f64, 2, {4, 2}}, {dtype::f64, 1, {4}}, {0, 1, {}, {}, {0}, {0}}),
             two({dtype::f64, 5, {2, 3, 4, 2, 2}}, {dtype::f64, 5, {2, 3, 2, 3, 2}},
                 {2, 2, {0, 3}, {4, 2}, {1, 4}, {3, 0}}),
             two({dtype::f64, 2, {3, 4}}, {dtype::f64, 2, {4, 5}}, {0, 1, {}, {}, {1}, {0}}),
             two({dtype::f64, 3, {2, 3, 4}}, {dtype::f64, 3, {2, 4, 5}}, {1, 1, {0}, {0}, {2}, {1}}),
             two({dtype::f64, 3, {4, 3, 2}}, {dtype::f64, 3, {5, 2, 4}}, {1, 1, {2}, {1}, {0}, {2}}),
             two({dtype::f64, 1, {4}}, {dtype::f64, 1, {4}}, {0, 1, {}, {}, {0}, {0}})}};
  }
  static void reference(call const& c);
};

}  // namespace etna::ops
