// SPDX-License-Identifier: BSD-3-Clause
// Families carry what their rows share: shape, batching, samples for tests. A row derives from one
// and fills the other columns. Read next: arithmetic.hpp, the first rows.
#pragma once
#include <initializer_list>

#include "build.hpp"

namespace etna::ops {

/// Broken promises of callers, as etna error numbers (messages are made where shapes are types).
inline constexpr int shapes_differ = 1, dtype_not_accepted = 26, bad_axis = 5, bad_shape = 9;

constexpr bool accepted(accepts a, dtype d) {
  switch (a) {
    case accepts::any: return true;
    case accepts::numbers: return d != dtype::boolean;
    case accepts::floating: return is_floating(d);
    case accepts::integers: return is_integer(d);
    default: return d == dtype::boolean;
  }
}

/// Operands of one shape, the result of that shape too: N operands.
template <int N, accepts A = accepts::numbers> struct elementwise {
  static constexpr int arity = N;
  static constexpr int results = 1;
  static constexpr ops::form form = ops::form::pointwise;
  static constexpr accepts takes = A;
  static constexpr interval domain = A == accepts::boolean ? truth : reals;
  static constexpr int flops = 1;

  static constexpr int shape(tensor_type const* in, int, std::int64_t const*, int, tensor_type* out) {
    for (int k = 1; k < N; ++k)
      if (!(in[k] == in[0])) return shapes_differ;
    if (!accepted(A, in[0].d)) return dtype_not_accepted;
    out[0] = in[0];
    return 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    var in[3]{};
    for (int k = 0; k < N; ++k) in[k] = e.is_batched[k] ? e.in[k] : broadcast_front(e.in[k], e.size);
    out[0] = tracing::emit(e.info().op, in, N, e.attrs(), e.attr_count());
  }
  static constexpr sharding_rule sharding(tensor_type const* in, int n, std::int64_t const*, int) {
    return cut_alike(in, n);
  }
};

/// Elementwise, of floating numbers.
template <int N> using real_function = elementwise<N, accepts::floating>;

/// Elementwise, two operands of one type, the result bool.
struct predicate : elementwise<2, accepts::any> {
  static constexpr bool any_width = true;
  static constexpr int shape(tensor_type const* in, int n, std::int64_t const* a, int m, tensor_type* out) {
    int wrong = elementwise<2, accepts::any>::shape(in, n, a, m, out);
    out[0].d = dtype::boolean;
    return wrong;
  }
};

constexpr sample one_operand(tensor_type t, interval from, std::initializer_list<std::int64_t> attr) {
  sample s;
  s.n = 1;
  s.type[0] = t;
  s.from[0] = from;
  for (auto a : attr) s.attr[s.n_attr++] = a;
  return s;
}

/// The result lacks the axes that the attributes name, in ascending order.
template <accepts A> struct reduction {
  static constexpr int arity = 1;
  static constexpr int results = 1;
  static constexpr ops::form form = ops::form::reduction;
  static constexpr accepts takes = A;
  static constexpr interval domain = A == accepts::boolean ? truth : reals;
  static constexpr int flops = 1;
  static constexpr bool selects = false;  // is the result one of the elements? Then it is never rounded.

  static constexpr int shape(tensor_type const* in, int, std::int64_t const* axes, int n, tensor_type* out) {
    if (!accepted(A, in[0].d)) return dtype_not_accepted;
    out[0] = {in[0].d, 0, {}};
    int k = 0;
    for (int i = 0; i < in[0].rank; ++i)
      if (k < n && axes[k] == i) ++k;
      else out[0].e[out[0].rank++] = in[0].e[i];
    return k == n ? 0 : bad_axis;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    std::int64_t axes[max_rank]{};
    for (int i = 0; i < e.attr_count(); ++i) axes[i] = e.attr(i) + 1;
    var r = tracing::emit(e.info().op, e.in, 1, axes, e.attr_count());
    for (int k = 0; k < e.info().results; ++k) out[k] = {r.g, r.id + k};
  }
  static constexpr sharding_rule sharding(tensor_type const* in, int, std::int64_t const* axes, int n) {
    sharding_rule r;
    for (int i = 0, k = 0; i < in[0].rank; ++i)
      if (k < n && axes[k] == i) r.combine(0, i), ++k;
      else r.join(0, i, i - k);
    return r;
  }
  static constexpr samples make_samples(interval from) {
    tensor_type x{A == accepts::boolean ? dtype::boolean : dtype::f64, 3, {2, 3, 4}};
    return {4,
            {one_operand(x, from, {0}), one_operand(x, from, {2}), one_operand(x, from, {1}),
             one_operand(x, from, {0, 1, 2})}};
  }
};

/// Elements in other places: the values stay what they are.
struct movement {
  static constexpr int arity = 1;
  static constexpr int results = 1;
  static constexpr accepts takes = accepts::any;
  static constexpr interval domain = reals;
  static constexpr int flops = 0;
};

}  // namespace etna::ops
