// SPDX-License-Identifier: BSD-3-Clause
// How an equation divides among devices: the column `sharding` of a row, and what families fill it with.
#pragma once
#include <etna/group/process_group.hpp>
#include <etna/tracing/emit.hpp>

namespace etna::ops {

/// Every axis of the operands and results is of a factor, as it has a letter in an einsum; axes of one factor are cut
/// in the same places (a reshape's may be of several sizes: after equal shares). Parts of a factor that no result has
/// are combined, as the row's `combined_by` says.
///
/// source  Shardy (OpenXLA), sdy.op_sharding_rule
struct sharding_rule {
  static constexpr signed char whole = -1;  // of no factor: it is not cut
  struct axes {
    signed char factor[max_rank];
    constexpr int at(int axis) const { return int(factor[axis]); }
  };
  axes operand[tracing::max_operands], result[tracing::max_results];
  int n = 0;  // factors

  constexpr sharding_rule() {
    for (axes& a : operand)
      for (auto& f : a.factor) f = whole;
    for (axes& a : result)
      for (auto& f : a.factor) f = whole;
  }
  /// An axis of an operand and one of the result: cut together. (g++ warns of axes that no array has.)
  constexpr void join(int k, int axis, int of_result) {
    if (axis >= max_rank || of_result < 0 || of_result >= max_rank) return;
    signed char& f = result[0].factor[of_result];
    if (f == whole) f = static_cast<signed char>(n++);
    operand[k].factor[axis] = f;
  }
  /// The factor of an axis of an operand that no result has.
  constexpr int combine(int k, int axis) { return operand[k].factor[axis] = static_cast<signed char>(n++); }
};
/// The attributes of an equation whose result is only this part: sizes that it has whole become the part's.
using cut_fn = void(std::int64_t* attr, tensor_type const& part);
using sharding_fn = sharding_rule(tensor_type const* in, int n, std::int64_t const* attr, int n_attr);

/// Operands and results of one shape: all axes but one (of all: -1).
constexpr sharding_rule cut_alike(tensor_type const* in, int n, int results = 1, int but = -1) {
  sharding_rule r;
  for (int i = 0; i < in[0].rank; ++i) {
    if (i == but) continue;
    for (int k = 0; k < n; ++k) r.join(k, i, i);
    for (int k = 1; k < results; ++k) r.result[k].factor[i] = r.result[0].factor[i];
  }
  return r;
}

}  // namespace etna::ops
