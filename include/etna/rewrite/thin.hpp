// SPDX-License-Identifier: BSD-3-Clause
// Products in which each number of a matrix is read once: with a vector, or of two vectors, perhaps one for each of a
// batch. They are sums of what is multiplied, so they run with the speed of memory, in one kernel with what makes their
// operands and what reads their results. Of blocks and panels they have nothing. Read next: legalize.hpp.
#pragma once
#include "pass.hpp"

namespace etna::rewrite {

class vector_product {
 public:
  /// in   operands of the product, whose attributes are `attr`
  constexpr vector_product(graph const& g, int const* in, std::int64_t const* attr) : source_{{g, in[0]}, {g, in[1]}} {
    ops::dot_dims const d = ops::dot_dims::read(attr);
    if (d.n_contract == 0 || !is_floating(d.accumulate)) return;
    for (side_ = 0; side_ < 2; ++side_) {
      matrix_ = g.values[source_[side_].id].type;
      vector_ = g.values[source_[1 - side_].id].type;
      if (matrix_.d != d.accumulate || vector_.d != d.accumulate) return;
      join(d);
      applies_ = other_axes_are_one() && pays();
      if (applies_) return;
    }
  }
  constexpr bool applies() const { return applies_; }

  constexpr int write(writer& w, tensor_type const& out) const {
    int operands[] = {source_[0].id, source_[1].id};
    operands[1 - side_] = as_matrix(w, operands[1 - side_]);
    return as_result(w, w.write(code<ops::mul_p>, operands, 2, nullptr, 0, &matrix_, 1), out);
  }

 private:
  using limits = tuning::thin;

  behind_transposes source_[2];  // the operands, as they lie in memory
  int side_ = 0;                 // of the matrix
  tensor_type matrix_{}, vector_{};
  int axis_of_[max_rank]{};              // of the vector, for each of the matrix; -1: it has none
  bool summed_[max_rank]{};              // axes of the matrix
  int batch_[max_rank]{}, n_batch_ = 0;  // axes of the matrix, in the order of the result
  bool applies_ = false;

  constexpr void join(ops::dot_dims const& d) {
    int const *batch[] = {d.lhs_batch, d.rhs_batch}, *contract[] = {d.lhs_contract, d.rhs_contract};
    int const *matrix = source_[side_].axis, *vector = source_[1 - side_].axis;
    for (int i = 0; i < max_rank; ++i) axis_of_[i] = -1, summed_[i] = false;
    n_batch_ = d.n_batch;
    for (int i = 0; i < d.n_batch; ++i) axis_of_[batch_[i] = matrix[batch[side_][i]]] = vector[batch[1 - side_][i]];
    for (int i = 0; i < d.n_contract; ++i) {
      int const axis = matrix[contract[side_][i]];
      axis_of_[axis] = vector[contract[1 - side_][i]];
      summed_[axis] = true;
    }
  }
  constexpr bool is_read(int vector_axis) const {
    for (int i = 0; i < matrix_.rank; ++i)
      if (axis_of_[i] == vector_axis) return true;
    return false;
  }
  constexpr bool other_axes_are_one() const {
    for (int k = 0; k < vector_.rank; ++k)
      if (vector_.e[k] != 1 && !is_read(k)) return false;
    return true;
  }
  /// Is each number of either operand read once? A product has no block for that.
  constexpr bool is_of_pairs() const {
    for (int i = 0; i < matrix_.rank; ++i)
      if (axis_of_[i] < 0 && matrix_.e[i] != 1) return false;
    return true;
  }
  /// Whole registers: along the sum, or of sums beside each other.
  constexpr bool pays() const {
    bool const pairs = is_of_pairs();
    if (matrix_.is_static() && matrix_.size() < (pairs ? limits::least_pairs : limits::least)) return false;
    if (pairs) return true;
    int last = matrix_.rank - 1;
    while (last > 0 && matrix_.e[last] == 1) --last;
    return !ext::is_static(matrix_.e[last]) ||
           matrix_.e[last] >= (summed_[last] ? limits::least_row : limits::least_columns);
  }

  /// The vector as it meets each element of the matrix.
  constexpr int as_matrix(writer& w, int x) const {
    std::int64_t perm[max_rank]{};
    int at[max_rank]{}, ones = 0, n = 0;
    for (int k = 0; k < vector_.rank; ++k)
      if (!is_read(k)) perm[ones++] = k;
    for (int i = 0; i < matrix_.rank; ++i)
      if (axis_of_[i] >= 0) at[n] = i, perm[ones + n++] = axis_of_[i];
    return spread(w, x, perm, ones, at, matrix_);
  }
  /// The sums, in the order of the product's axes: those of the batch, then the matrix' own; and where the vector's
  /// ones were.
  constexpr int as_result(writer& w, int x, tensor_type const& out) const {
    std::int64_t axes[max_rank]{}, perm[max_rank]{};
    tensor_type t{matrix_.d, 0, {}};
    int at[max_rank]{}, n_axes = 0, n = 0;
    for (int i = 0; i < matrix_.rank; ++i) {
      if (summed_[i]) {
        axes[n_axes++] = i;
        continue;
      }
      at[i] = t.rank;
      t.e[t.rank++] = matrix_.e[i];
    }
    x = w.write(code<ops::sum_p>, &x, 1, axes, n_axes, &t, 1);
    for (int k = 0; k < n_batch_; ++k) perm[n++] = at[batch_[k]];
    for (int i = 0; i < matrix_.rank; ++i)
      if (int const own = source_[side_].axis[i]; axis_of_[own] < 0) perm[n++] = at[own];
    x = transposed(w, x, perm);
    return t.rank == out.rank ? x : reshaped(w, x, out);
  }
};

/// Is the equation such a product?
constexpr bool is_vector_product(graph const& g, node_info const& n) {
  return ops::table.at[n.op].form == ops::form::contraction &&
         vector_product(g, g.edges + n.edge, g.attrs + n.attr).applies();
}
/// The pass.
constexpr bool thin(subject& s, graph& to, int* outputs) {
  return rewrite_where(s, to, outputs, is_vector_product,
                       [](writer& w, graph const& from, node_info const& n, int const* in) {
                         if (ops::table.at[n.op].form == ops::form::contraction)
                           if (vector_product const p(w.to, in, from.attrs + n.attr); p.applies())
                             return p.write(w, from.values[n.value].type);
                         return keep(w, from, n, in);
                       });
}

}  // namespace etna::rewrite
