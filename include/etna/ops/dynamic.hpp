// SPDX-License-Identifier: BSD-3-Clause
// Rows: a block at a run-time position, read and written. Starts are one integer vector, an element an axis, clamped so
// that the block lies inside. Each row is the transpose of the other. Positions that differ within a batch are read and
// written by index.
#pragma once
#include "windows.hpp"

namespace etna::ops {

constexpr var dynamic_slice(var x, var starts, tensor_type const& block) {
  var in[] = {x, starts};
  return tracing::emit(code<dynamic_slice_p>, in, 2, block.e, block.rank);
}
constexpr var dynamic_update(var x, var u, var starts) {
  var in[] = {x, u, starts};
  return tracing::emit(code<dynamic_update_p>, in, 3, nullptr, 0);
}

namespace dynamic {
constexpr int misfit(tensor_type const& x, tensor_type const& block, tensor_type const& starts) {
  if (!is_integer(starts.d)) return 33;
  if (starts.rank != 1 || starts.e[0] != x.rank || block.rank != x.rank) return bad_axis;
  for (int i = 0; i < x.rank; ++i)
    if (block.e[i] != x.e[i] &&
        (x.e[i] >= 0 && block.e[i] >= 0 ? block.e[i] > x.e[i] : !ext::holds(x.e[i], block.e[i])))
      return bad_shape;
  return 0;
}
/// Starts of a batch with 0 for the mapped axis.
constexpr var with_zero(var starts) {
  tensor_type t = type_of(starts);
  t.e[0] += 1;
  update_dim behind_it{1, 1};
  return update(full(starts.g, t, 0), starts, &behind_it);
}
/// [batch] from [batch, rank]: where blocks begin along an axis, clamped. Of a type that has all sizes, and numbers
/// below 0: places of an empty block end before they begin.
constexpr var start_along(var starts, int axis, extent most) {
  if (type_of(starts).d != dtype::i32) starts = convert(starts, dtype::i64);
  tensor_type t = type_of(starts);
  slice_dim column[] = {{0, t.e[0], 1}, {axis, 1, 1}};
  var s = reshape(slice(starts, column), {t.d, 1, {t.e[0]}});
  return apply<max_p>(apply<min_p>(s, full_like(s, double(most))), full_like(s, 0));
}
/// [batch, n]: a ramp plus (or minus) each example's start.
constexpr var shifted_ramp(var start, extent n, bool back) {
  tensor_type t = type_of(start).insert(1, n);
  int dims[] = {0};
  var ramp = iota(start.g, t, 1), s = broadcast(start, t, dims);
  return back ? ramp - s : ramp + s;
}
}  // namespace dynamic

/// attributes  the extents of the block
struct dynamic_slice_p : movement {
  static constexpr auto name = "dynamic_slice";
  static constexpr int moves = 1;
  static constexpr ops::form form = ops::form::routine;
  static constexpr int arity = 2;

  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    out[0] = {in[0].d, n, {}};
    for (int i = 0; i < n && i < max_rank; ++i) out[0].e[i] = a[i];
    return dynamic::misfit(in[0], out[0], in[1]);
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    var x = e.is_batched[0] ? e.in[0] : broadcast_front(e.in[0], e.size);
    if (!e.is_batched[1]) {
      out[0] = dynamic_slice(x, dynamic::with_zero(e.in[1]), e.out_type().insert(0, e.size));
      return;
    }
    tensor_type block = e.out_type();
    for (int i = 0; i < block.rank; ++i) {
      extent n = type_of(x).e[i + 1];
      if (n == block.e[i]) continue;
      x = gather(x, dynamic::shifted_ramp(dynamic::start_along(e.in[1], i, n - block.e[i]), block.e[i], false),
                 {i + 1, 1});
    }
    out[0] = x;
  }
  static constexpr samples make_samples(interval from) {
    auto s = [&](tensor_type x, std::initializer_list<std::int64_t> block) {
      sample r = one_operand(x, from, block);
      r.n = 2;
      r.type[1] = {dtype::i32, 1, {x.rank}};
      r.from[1] = {-2, 6};
      return r;
    };
    return {
        3,
        {s({dtype::f64, 1, {7}}, {3}), s({dtype::f64, 2, {4, 6}}, {4, 2}), s({dtype::f64, 3, {3, 4, 5}}, {1, 3, 5})}};
  }
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return dynamic_slice(t, e[1], e.out_type()); }, zero};
  static constexpr auto transpose =
      per_operand{[](var ct, eqn e) { return dynamic_update(full(ct.g, e.type(0), 0), ct, e[1]); }, zero};
  static void reference(call const& c);
  static void run(call const& c, std::int64_t from, std::int64_t to);
  static std::int64_t units(call const& c) { return block_parts(c.out_type[0]); }
};

/// x with the block at `starts` replaced by u.
struct dynamic_update_p : movement {
  static constexpr auto name = "dynamic_update";
  static constexpr int moves = 2;
  static constexpr ops::form form = ops::form::routine;
  static constexpr int arity = 3;
  static constexpr bool in_place = true;

  static constexpr int shape(tensor_type const* in, int, std::int64_t const*, int, tensor_type* out) {
    out[0] = in[0];
    return in[1].d != in[0].d ? dtype_not_accepted : dynamic::misfit(in[0], in[1], in[2]);
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    var x = e.is_batched[0] ? e.in[0] : broadcast_front(e.in[0], e.size);
    var u = e.is_batched[1] ? e.in[1] : broadcast_front(e.in[1], e.size);
    if (!e.is_batched[2]) {
      out[0] = dynamic_update(x, u, dynamic::with_zero(e.in[2]));
      return;
    }
    // by index: u spread to x's shape, chosen where the place lies in the block
    tensor_type all = type_of(x), block = type_of(u);
    var inside{};
    for (int i = 1; i < all.rank; ++i) {
      if (all.e[i] == block.e[i]) continue;
      var at = dynamic::shifted_ramp(dynamic::start_along(e.in[2], i - 1, all.e[i] - block.e[i]), all.e[i], true);
      var none = full_like(at, 0), last = full_like(at, double(block.e[i]) - 1);
      int dims[] = {0, i};
      var here = logical_and(apply<le_p>(none, at), apply<le_p>(at, last));
      here = broadcast(here, all.with(dtype::boolean), dims);
      inside = inside ? logical_and(inside, here) : here;
      if (block.e[i] == 0) u = full(u.g, type_of(u).drop(i).insert(i, all.e[i]), 0);
      else u = gather(u, apply<max_p>(apply<min_p>(at, last), none), {i, 1});
    }
    out[0] = inside ? select(inside, u, x) : u;
  }
  static constexpr samples make_samples(interval from) {
    auto s = [&](tensor_type x, tensor_type u) {
      sample r = one_operand(x, from, {});
      r.n = 3;
      r.type[1] = u;
      r.from[1] = from;
      r.type[2] = {dtype::i32, 1, {x.rank}};
      r.from[2] = {-2, 6};
      return r;
    };
    return {4,
            {s({dtype::f64, 1, {7}}, {dtype::f64, 1, {3}}), s({dtype::f64, 2, {4, 6}}, {dtype::f64, 2, {3, 0}}),
             s({dtype::f64, 2, {4, 6}}, {dtype::f64, 2, {4, 2}}),
             s({dtype::f64, 3, {3, 4, 5}}, {dtype::f64, 3, {1, 3, 5}})}};
  }
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return dynamic_update(t, full(t.g, e.type(1), 0), e[2]); },
                  [](var t, eqn e) { return dynamic_update(full(t.g, e.type(0), 0), t, e[2]); }, zero};
  static constexpr auto transpose =
      per_operand{[](var ct, eqn e) { return dynamic_update(ct, full(ct.g, e.type(1), 0), e[2]); },
                  [](var ct, eqn e) { return dynamic_slice(ct, e[2], e.type(1)); }, zero};
  static void reference(call const& c);
  static void run(call const& c, std::int64_t from, std::int64_t to);
  static std::int64_t units(call const& c) { return c.out[0] == c.in[0] ? block_parts(c.in_type[1]) : 1; }
};

}  // namespace etna::ops
