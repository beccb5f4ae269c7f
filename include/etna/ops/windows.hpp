// SPDX-License-Identifier: BSD-3-Clause
// Rows: all windows of an array, and windows put back where they were read, added where they overlap. Each is the
// transpose of the other. Windows are a view, whose strides are the array's, twice: convolutions are products of them,
// pools and moving sums reductions. Read next: dynamic.hpp.
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
  /// The axes without windows.
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
  static constexpr auto transpose = per_operand{[](var ct, eqn e) {
    overlap_dim dims[max_rank]{};
    int const rank = e.type(0).rank;
    for (int i = 0; i < rank; ++i) dims[i] = {window_dim::read(e.attrs(), i), e.type(0).e[i]};
    return overlap_add(ct, dims, rank);
  }};
  static void reference(call const& c);
};

/// attributes  an overlap_dim for each axis of the result
struct overlap_add_p : movement {
  static constexpr auto name = "overlap_add";
  static constexpr accepts takes = accepts::numbers;
  static constexpr int flops = 1;
  static constexpr ops::form form = ops::form::overlap;

  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    out[0] = {in[0].d, n / overlap_dim::words, {}};
    if (!accepted(takes, in[0].d)) return dtype_not_accepted;
    int at = out[0].rank;
    if (n % overlap_dim::words != 0 || at > in[0].rank) return bad_axis;
    for (int i = 0; i < out[0].rank; ++i) {
      auto const [w, size] = overlap_dim::read(a, i);
      out[0].e[i] = size;
      if (!w.there() && in[0].e[i] == size) continue;
      if (size < 0 || w.size < 1 || w.step < 1 || w.dilation < 1 || at == in[0].rank) return bad_shape;
      if (in[0].e[i] != w.count(size) || in[0].e[at++] != w.size) return bad_shape;
    }
    return at == in[0].rank ? 0 : bad_axis;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    int const rank = e.attr_count() / overlap_dim::words;
    overlap_dim dims[max_rank]{{{}, e.size}};
    for (int i = 0; i < rank; ++i) dims[i + 1] = overlap_dim::read(e.attrs(), i);
    out[0] = overlap_add(e.in[0], dims, rank + 1);
  }
  /// The axes without windows.
  static constexpr sharding_rule sharding(tensor_type const*, int, std::int64_t const* a, int n) {
    sharding_rule r;
    for (int i = 0; i < n / overlap_dim::words; ++i)
      if (!overlap_dim::read(a, i).window.there()) r.join(0, i, i);
    return r;
  }
  static constexpr void cut(std::int64_t* a, tensor_type const& part) {
    for (int i = 0; i < part.rank; ++i) {
      overlap_dim d = overlap_dim::read(a, i);
      d.size = part.e[i];
      d.write(a, i);
    }
  }
  static constexpr samples make_samples(interval from) {
    return {5,
            {one_operand({dtype::f64, 2, {3, 3}}, from, {3, 2, 1, 7}),
             one_operand({dtype::f64, 3, {4, 3, 2}}, from, {0, 1, 1, 4, 2, 1, 3, 6}),
             one_operand({dtype::f64, 4, {2, 2, 2, 3}}, from, {2, 2, 2, 5, 3, 1, 1, 4}),
             one_operand({dtype::f64, 4, {2, 3, 2, 2}}, from, {2, 2, 1, 5, 2, 4, 2, 11}),
             one_operand({dtype::f64, 3, {2, 0, 4}}, from, {0, 1, 1, 2, 4, 1, 1, 3})}};
  }
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return apply_with<overlap_add_p>(t, e.attrs(), e.attr_count()); }};
  static constexpr auto transpose = per_operand{[](var ct, eqn e) {
    window_dim dims[max_rank]{};
    for (int i = 0; i < e.out_type().rank; ++i) dims[i] = overlap_dim::read(e.attrs(), i).window;
    return windows(ct, dims);
  }};
  static void reference(call const& c);
};

}  // namespace etna::ops
