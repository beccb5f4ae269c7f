// SPDX-License-Identifier: BSD-3-Clause
// Rows: sources (arguments, constants, index ramps) and movement (broadcast, reshape, transpose).
// Movement is linear; in a plan it is a view wherever strides can say it.
#pragma once
#include "family.hpp"

namespace etna::ops {

/// No operands; the result's type is given by who writes the equation.
struct source : movement {
  static constexpr int arity = 0;
  static constexpr int moves = 0;
  static constexpr ops::form form = ops::form::source;
  static constexpr int shape(tensor_type const*, int, std::int64_t const*, int, tensor_type*) { return 0; }
  static constexpr void batch(batched_eqn const& e, var* out) { out[0] = e.out(); }
  static constexpr auto jvp = absent{"constant"};
  static constexpr auto transpose = absent{"constant"};
};

struct input_p : source {
  static constexpr auto name = "input";
  static constexpr samples make_samples(interval) {
    samples none;
    return none;
  }
  static void reference(call const&) {}
};

struct literal_p : source {
  static constexpr auto name = "literal";
  static constexpr samples make_samples(interval) {
    samples none;
    return none;
  }
  static void reference(call const& c);  // eager/reference.hpp
};

struct full_p : source {
  static constexpr auto name = "full";
  static constexpr samples make_samples(interval) {
    samples none;
    return none;
  }
  static void reference(call const& c);
};

struct iota_p : source {
  static constexpr auto name = "iota";
  static constexpr samples make_samples(interval) {
    samples none;
    return none;
  }
  static void reference(call const& c);
};

struct extent_size_p : source {
  static constexpr auto name = "extent_size";
  static constexpr samples make_samples(interval) {
    samples none;
    return none;
  }
  static void reference(call const& c);
};

/// attributes  broadcast_words
struct broadcast_p : movement {
  static constexpr auto name = "broadcast";
  static constexpr int moves = 1;
  static constexpr ops::form form = ops::form::broadcast;
  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    out[0] = shape_words::read(a, in[0].d);
    if (n != 1 + out[0].rank + in[0].rank) return bad_shape;
    for (int i = 0, before = -1; i < in[0].rank; ++i) {
      int at = broadcast_words::axis_of(a, i);
      if (at <= before || at >= out[0].rank) return bad_axis;
      before = at;
      if (in[0].e[i] != 1 && in[0].e[i] != out[0].e[at]) return shapes_differ;
    }
    return 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    tensor_type to = shape_words::read(e.attrs(), type_of(e.in[0]).d);
    int dims[max_rank]{0};
    for (int i = 0, n = e.attr_count() - 1 - to.rank; i < n; ++i)
      dims[i + 1] = broadcast_words::axis_of(e.attrs(), i) + 1;
    out[0] = broadcast(e.in[0], to.insert(0, e.size), dims);
  }
  /// New axes are cut as well: each part has all of x.
  static constexpr sharding_rule sharding(tensor_type const* in, int, std::int64_t const* a, int) {
    sharding_rule r;
    tensor_type const to = shape_words::read(a, in[0].d);
    for (int i = 0; i < to.rank; ++i) r.result[0].factor[i] = static_cast<signed char>(r.n++);
    for (int i = 0; i < in[0].rank; ++i)
      if (int at = broadcast_words::axis_of(a, i); in[0].e[i] == to.e[at]) r.join(0, i, at);
    return r;
  }
  static constexpr void cut(std::int64_t* a, tensor_type const& part) { shape_words::put(a, part); }
  static constexpr samples make_samples(interval from) {
    return {4,
            {one_operand({dtype::f64, 1, {3}}, from, {2, 4, 3, 1}),
             one_operand({dtype::f64, 2, {1, 3}}, from, {2, 2, 3, 0, 1}),
             one_operand({dtype::f64, 2, {2, 1}}, from, {3, 2, 4, 5, 0, 1}),
             one_operand({dtype::f64, 0, {}}, from, {1, 5})}};
  }
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return apply_with<broadcast_p>(t, e.attrs(), e.attr_count()); }};
  static constexpr auto transpose = per_operand{[](var ct, eqn e) {
    tensor_type x = e.type(0), y = e.out_type();
    std::int64_t axes[max_rank]{};
    int n = 0;
    for (int i = 0; i < y.rank; ++i) {
      int from = -1;
      for (int k = 0; k < x.rank; ++k)
        if (broadcast_words::axis_of(e.attrs(), k) == i) from = k;
      if (from < 0 || (x.e[from] == 1 && y.e[i] != 1)) axes[n++] = i;
    }
    return reshape(sum(ct, axes, n), x);
  }};
  static void reference(call const& c);
};

/// attributes  shape_words
struct reshape_p : movement {
  static constexpr auto name = "reshape";
  static constexpr int moves = 1;
  static constexpr ops::form form = ops::form::reshape;
  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    out[0] = shape_words::read(a, in[0].d);
    if (n != 1 + out[0].rank) return bad_shape;
    return in[0].size() == out[0].size() ? 0 : bad_shape;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    out[0] = reshape(e.in[0], e.out_type().insert(0, e.size));
  }
  /// The leading axes that stay.
  static constexpr sharding_rule sharding(tensor_type const* in, int, std::int64_t const* a, int) {
    sharding_rule r;
    tensor_type const to = shape_words::read(a, in[0].d);
    int i = 0;
    for (; i < in[0].rank && i < to.rank && in[0].e[i] == to.e[i]; ++i) r.join(0, i, i);
    // an axis that is split, or joined with those behind it: its slowest part goes along
    if (i < in[0].rank && i < to.rank && in[0].e[i] > 0 && to.e[i] > 0 &&
        (in[0].e[i] % to.e[i] == 0 || to.e[i] % in[0].e[i] == 0))
      r.join(0, i, i);
    return r;
  }
  static constexpr void cut(std::int64_t* a, tensor_type const& part) { shape_words::put(a, part); }
  static constexpr samples make_samples(interval from) {
    return {
        3,
        {one_operand({dtype::f64, 2, {3, 4}}, from, {3, 2, 2, 3}), one_operand({dtype::f64, 2, {3, 4}}, from, {1, 12}),
         one_operand({dtype::f64, 3, {2, 3, 4}}, from, {2, 2, 12})}};
  }
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return reshape(t, e.out_type()); }};
  static constexpr auto transpose = per_operand{[](var ct, eqn e) { return reshape(ct, e.type(0)); }};
  static void reference(call const& c);
};

/// attributes  the operand axis at each place of the result
struct transpose_p : movement {
  static constexpr auto name = "transpose";
  static constexpr int moves = 1;
  static constexpr ops::form form = ops::form::transpose;
  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    if (n != in[0].rank) return bad_axis;
    out[0] = {in[0].d, n, {}};
    for (int i = 0; i < n; ++i) {
      if (a[i] < 0 || a[i] >= n) return bad_axis;
      out[0].e[i] = in[0].e[a[i]];
    }
    return 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    int perm[max_rank]{};
    for (int i = 0; i < e.attr_count(); ++i) perm[i + 1] = int(e.attr(i)) + 1;
    out[0] = ops::transpose(e.in[0], perm);
  }
  static constexpr sharding_rule sharding(tensor_type const*, int, std::int64_t const* a, int n) {
    sharding_rule r;
    for (int i = 0; i < n; ++i) r.join(0, int(a[i]), i);
    return r;
  }
  static constexpr samples make_samples(interval from) {
    return {
        2,
        {one_operand({dtype::f64, 2, {3, 4}}, from, {1, 0}), one_operand({dtype::f64, 3, {2, 3, 4}}, from, {2, 0, 1})}};
  }
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return apply_with<transpose_p>(t, e.attrs(), e.attr_count()); }};
  static constexpr auto transpose = per_operand{[](var ct, eqn e) {
    int back[max_rank]{};
    for (int i = 0; i < e.attr_count(); ++i) back[e.attr(i)] = i;
    return ops::transpose(ct, back);
  }};
  static void reference(call const& c);
};

}  // namespace etna::ops
