// SPDX-License-Identifier: BSD-3-Clause
// Row: all windows of an array. They are a view, whose strides are the array's, twice: convolutions are products of
// windows, pools and moving sums reductions of them. Read next: dynamic.hpp.
#pragma once
#include "parts.hpp"

namespace etna::ops {

/// The windows of each axis, then the elements of a window as axes behind all, in the same order.
///
/// attributes  a window_dim for each axis
struct windows_p : movement {
  static constexpr auto name = "windows";
  static constexpr int moves = 1;
  static constexpr ops::form form = ops::form::windows;

  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    out[0] = in[0];
    if (n != window_dim::words * in[0].rank) return bad_axis;
    for (int i = 0; i < in[0].rank; ++i) {
      window_dim const w = window_dim::read(a, i);
      if (!w.there()) continue;
      if (in[0].e[i] < 0 || w.size < 1 || w.step < 1 || w.dilation < 1 || out[0].rank == max_rank) return bad_shape;
      out[0].e[i] = w.count(in[0].e[i]);
      out[0].e[out[0].rank++] = w.size;
    }
    return 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    window_dim dims[max_rank]{};
    for (int i = 0; i < e.type(0).rank; ++i) dims[i + 1] = window_dim::read(e.attrs(), i);
    out[0] = windows(e.in[0], dims);
  }
  /// The axes that are no windows.
  static constexpr sharding_rule sharding(tensor_type const* in, int, std::int64_t const* a, int) {
    sharding_rule r;
    for (int i = 0; i < in[0].rank; ++i)
      if (!window_dim::read(a, i).there()) r.join(0, i, i);
    return r;
  }
  static constexpr samples make_samples(interval from) {
    return {4,
            {one_operand({dtype::f64, 1, {7}}, from, {3, 2, 1}),
             one_operand({dtype::f64, 2, {4, 6}}, from, {0, 1, 1, 2, 1, 3}),
             one_operand({dtype::f64, 2, {5, 4}}, from, {2, 2, 2, 3, 1, 1}),
             one_operand({dtype::f64, 3, {2, 3, 2}}, from, {0, 1, 1, 4, 1, 1, 0, 1, 1})}};
  }
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return apply_with<windows_p>(t, e.attrs(), e.attr_count()); }};
  // Each element of a window back to its place, one by one.
  static constexpr auto transpose = per_operand{[](var ct, eqn e) {
    tensor_type const x = e.type(0), all = type_of(ct);
    update_dim place[max_rank]{};
    slice_dim one[max_rank]{};
    tensor_type counts = x;
    int n = 1;
    for (int i = 0; i < all.rank; ++i) {
      if (i < x.rank) counts.e[i] = all.e[i];
      else n *= int(all.e[i]);
      one[i] = {0, all.e[i], 1};
    }
    var none = full(ct.g, x, 0), r = none;
    for (int k = 0; k < n; ++k) {
      for (int i = x.rank - 1, at = all.rank - 1, rest = k; i >= 0; --i) {
        window_dim const w = window_dim::read(e.attrs(), i);
        place[i] = {0, 1};
        if (!w.there()) continue;
        int const q = rest % int(w.size);
        rest /= int(w.size);
        place[i] = {q * w.dilation, w.step};
        one[at--] = {q, 1, 1};
      }
      var u = update(none, reshape(slice(ct, one), counts), place);
      r = k == 0 ? u : r + u;
    }
    return r;
  }};
  static void reference(call const& c);
};

}  // namespace etna::ops
