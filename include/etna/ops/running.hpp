// SPDX-License-Identifier: BSD-3-Clause
// Rows along one axis that keep its length: running sums and extremes, a linear recurrence (of which running products
// are made), and sorting.
#pragma once
#include "parts.hpp"

namespace etna::ops {

/// Slices of x at the places that the index names along an axis; all axes but that one run in step.
constexpr var gather_along(var x, var index, int axis) {
  int last = type_of(x).rank - 1;
  return move_axis(gather(move_axis(x, axis, last), move_axis(index, axis, last), {last, last}), last, axis);
}
/// x moved by one along an axis, toward its end or, in reverse, its beginning; 0 enters. By index.
constexpr var delayed_by_index(var x, int axis, bool reverse) {
  tensor_type t = type_of(x), places{dtype::i32, 1, {t.e[axis]}}, one{dtype::i32, 0, {}};
  graph* g = tracing::resolve(x).g;
  var ramp = iota(g, places, 0), by = full_like(ramp, 1), end = full_like(ramp, 0),
      at = reverse ? ramp + by : ramp - by;
  if (reverse) end = broadcast(tracing::emit(code<extent_size_p>, nullptr, 0, t.e + axis, 1, one, g), places, nullptr);
  var enters = broadcast(eq(reverse ? at : ramp, end), t.with(dtype::boolean), &axis);
  return select(enters, full(g, t, 0), gather(x, at, {axis, 0}));
}
/// The same, by parts.
constexpr var delayed(var x, int axis, bool reverse) {
  tensor_type t = type_of(x);
  if (t.e[axis] < 0) return delayed_by_index(x, axis, reverse);  // no part of a named axis has a size
  slice_dim from[max_rank]{};
  update_dim to[max_rank]{};
  for (int i = 0; i < t.rank; ++i) from[i] = {0, t.e[i], 1}, to[i] = {0, 1};
  if (t.e[axis] == 0) return x;
  from[axis] = {reverse, t.e[axis] - 1, 1};
  to[axis] = {!reverse, 1};
  return update(full(x.g, t, 0), slice(x, from), to);
}

/// attributes  walk_dims
template <int N> struct along_axis : movement {
  static constexpr int arity = N;
  static constexpr accepts takes = accepts::numbers;
  static constexpr ops::form form = ops::form::routine;
  static constexpr int flops = N;

  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    if (n != 2 || a[0] < 0 || a[0] >= in[0].rank) return bad_axis;
    if (N == 2 && !(in[0] == in[N - 1])) return shapes_differ;
    if (!accepted(accepts::numbers, in[0].d)) return dtype_not_accepted;
    out[0] = in[0];
    return 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    var in[N]{};
    for (int k = 0; k < N; ++k) in[k] = e.is_batched[k] ? e.in[k] : broadcast_front(e.in[k], e.size);
    walk_dims w = walk_dims::read(e.attrs());
    ++w.axis;
    std::int64_t a[walk_dims::words];
    w.write(a);
    var r = tracing::emit(e.info().op, in, N, a, walk_dims::words);
    for (int k = 0; k < e.info().results; ++k) out[k] = {r.g, r.id + k};
  }
  static constexpr sharding_rule sharding(tensor_type const* in, int n, std::int64_t const* a, int) {
    return cut_alike(in, n, 1, walk_dims::read(a).axis);
  }
  static constexpr samples make_samples(interval from) {
    auto s = [&](tensor_type x, std::int64_t axis, std::int64_t reverse) {
      sample r = one_operand(x, from, {axis, reverse});
      r.n = N;
      r.type[N - 1] = x;
      r.from[N - 1] = from;
      return r;
    };
    return {6,
            {s({dtype::f64, 1, {7}}, 0, 0), s({dtype::f64, 2, {3, 5}}, 1, 1), s({dtype::f64, 3, {2, 4, 3}}, 1, 0),
             s({dtype::f64, 2, {5, 3}}, 0, 1), s({dtype::f64, 3, {3, 2, 4}}, 0, 0), s({dtype::f64, 2, {2, 1}}, 1, 1)}};
  }
  /// A unit is one place of the axes before.
  static std::int64_t units(call const& c) { return c.in_type[0].size(0, walk_dims::read(c.attr).axis); }
};

constexpr walk_dims walk_of(eqn e) { return walk_dims::read(e.attrs()); }
constexpr var delayed(var x, walk_dims w) { return delayed(x, w.axis, w.back); }
constexpr var running_sum(var x, walk_dims w) {
  std::int64_t a[walk_dims::words];
  w.write(a);
  return apply_with<cumsum_p>(x, a, walk_dims::words);
}
constexpr var recurrence(var a, var b, walk_dims w) {
  var in[] = {a, b};
  std::int64_t at[walk_dims::words];
  w.write(at);
  return tracing::emit(code<recurrence_p>, in, 2, at, walk_dims::words);
}

struct cumsum_p : along_axis<1> {
  static constexpr auto name = "cumsum";
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return running_sum(t, walk_of(e)); }};
  static constexpr auto transpose = per_operand{[](var ct, eqn e) { return running_sum(ct, walk_of(e).opposite()); }};
  static void reference(call const& c);
  static void run(call const& c, std::int64_t from, std::int64_t to);
};

// h[i] = a[i] * h[i - 1] + b[i], with 0 before the first: linear in b, and its transpose is one in reverse.
struct recurrence_p : along_axis<2> {
  static constexpr auto name = "recurrence";
  static constexpr auto jvp = per_operand{[](var t, eqn e) {
                                            walk_dims const w = walk_of(e);
                                            return recurrence(e[0], scale(t, delayed(e.out(), w)), w);
                                          },
                                          [](var t, eqn e) { return recurrence(e[0], t, walk_of(e)); }};
  static constexpr auto transpose = per_operand{zero, [](var ct, eqn e) {
                                                  walk_dims const w = walk_of(e).opposite();
                                                  return recurrence(delayed(e[0], w), ct, w);
                                                }};
  static void reference(call const& c);
  static void run(call const& c, std::int64_t from, std::int64_t to);
};

/// The greatest (least) so far, and where it first was; NaN stays.
struct running_extreme : along_axis<1> {
  static constexpr int results = 2;
  static constexpr int shape(tensor_type const* in, int n, std::int64_t const* a, int m, tensor_type* out) {
    int wrong = along_axis<1>::shape(in, n, a, m, out);
    out[1] = out[0].with(dtype::i32);
    return wrong;
  }
  static constexpr sharding_rule sharding(tensor_type const* in, int n, std::int64_t const* a, int) {
    return cut_alike(in, n, 2, walk_dims::read(a).axis);
  }
  static constexpr auto jvp = jointly{[](var const* t, eqn e, var* out) {
    if (t[0]) out[0] = gather_along(t[0], e.out(1), walk_of(e).axis);
  }};
  static constexpr auto transpose = absent{"not linear"};
};
struct cummax_p : running_extreme {
  static constexpr auto name = "cummax";
  static void reference(call const& c);
  static void run(call const& c, std::int64_t from, std::int64_t to);
};
struct cummin_p : running_extreme {
  static constexpr auto name = "cummin";
  static void reference(call const& c);
  static void run(call const& c, std::int64_t from, std::int64_t to);
};

/// The last axis in order, and where each element was (i32); equal elements keep their order. NaN is the greatest.
///
/// attributes  whether the greatest comes first; how many come first of which alone is asked, or 0: all
struct sort_p : movement {
  static constexpr auto name = "sort";
  static constexpr ops::form form = ops::form::routine;
  static constexpr int results = 2;
  static constexpr int flops = 10;  // comparisons, about

  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    if (n != 2 || in[0].rank == 0) return bad_axis;
    out[0] = in[0];
    if (a[1] > 0) out[0].e[in[0].rank - 1] = a[1];
    out[1] = out[0].with(dtype::i32);
    return 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    var r = apply_with<sort_p>(e.in[0], e.attrs(), 2);
    out[0] = r;
    out[1] = {r.g, r.id + 1};
  }
  static constexpr sharding_rule sharding(tensor_type const* in, int n, std::int64_t const*, int) {
    return cut_alike(in, n, 2, in[0].rank - 1);
  }
  static constexpr samples make_samples(interval from) {
    return {4,
            {one_operand({dtype::f64, 1, {7}}, from, {0, 0}), one_operand({dtype::f64, 2, {3, 5}}, from, {1, 0}),
             one_operand({dtype::i32, 2, {2, 9}}, from, {1, 0}), one_operand({dtype::f64, 2, {3, 40}}, from, {1, 3})}};
  }
  static constexpr auto jvp = jointly{[](var const* t, eqn e, var* out) {
    if (t[0]) out[0] = gather_along(t[0], e.out(1), e.type(0).rank - 1);
  }};
  static constexpr auto transpose = absent{"not linear"};
  static void reference(call const& c);
  static void run(call const& c, std::int64_t from, std::int64_t to);
  static std::int64_t units(call const& c) {
    extent n = c.in_type[0].e[c.in_type[0].rank - 1];
    return n == 0 ? 0 : c.in_type[0].size() / n;
  }
};

}  // namespace etna::ops
