// SPDX-License-Identifier: BSD-3-Clause
// Rows: gather along one axis by integer index, and its transpose, scatter_add. Negative indices
// count from the end; one out of range reads NaN (0 for integers) and adds nothing.
#pragma once
#include "family.hpp"

namespace etna::ops {

/// attributes  gather_dims
/// shape   x [batch, pre, n, post], index [batch, i] -> [batch, pre, i, post]
struct gather_p : movement {
  static constexpr auto name = "gather";
  static constexpr int moves = 1;
  static constexpr ops::form form = ops::form::gather;
  static constexpr int arity = 2;

  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    auto const [axis, nb] = n == 2 ? gather_dims::read(a) : gather_dims{-1, 0};
    if (!is_integer(in[1].d)) return 33;
    if (axis < nb || axis >= in[0].rank || nb > in[1].rank) return bad_axis;
    for (int i = 0; i < nb; ++i)
      if (in[0].e[i] != in[1].e[i]) return shapes_differ;
    out[0] = {in[0].d, 0, {}};
    for (int i = 0; i < axis; ++i) out[0].e[out[0].rank++] = in[0].e[i];
    for (int i = nb; i < in[1].rank; ++i) out[0].e[out[0].rank++] = in[1].e[i];
    for (int i = axis + 1; i < in[0].rank; ++i) out[0].e[out[0].rank++] = in[0].e[i];
    return 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    auto const [axis, nb] = gather_dims::read(e.attrs());
    bool x = e.is_batched[0], i = e.is_batched[1];
    if (nb == 0 && !(x && i)) {  // the mapped axis stays where it is in the result
      out[0] = gather(e.in[0], e.in[1], {axis + x, 0});
      if (i) out[0] = move_axis(out[0], axis, 0);
      return;
    }
    out[0] = gather(x ? e.in[0] : broadcast_front(e.in[0], e.size), i ? e.in[1] : broadcast_front(e.in[1], e.size),
                    {axis + 1, nb + 1});
  }
  static constexpr sharding_rule sharding(tensor_type const* in, int, std::int64_t const* a, int) {
    sharding_rule r;
    auto const [axis, nb] = gather_dims::read(a);
    int const ni = in[1].rank - nb;
    for (int i = 0; i < in[0].rank; ++i)
      if (i != axis) r.join(0, i, i < axis ? i : i + ni - 1);
    for (int i = 0; i < in[1].rank; ++i) r.join(1, i, i < nb ? i : axis + i - nb);
    return r;
  }
  static constexpr samples make_samples(interval from) {
    auto s = [&](tensor_type x, tensor_type i, double n, std::int64_t axis, std::int64_t nb) {
      sample s;
      s.n = 2;
      s.type[0] = x;
      s.type[1] = i;
      s.from[0] = from;
      s.from[1] = {i.d != dtype::u8 ? -n : 0, n - 0.001};
      s.attr[s.n_attr++] = axis;
      s.attr[s.n_attr++] = nb;
      return s;
    };
    return {6,
            {s({dtype::f64, 2, {5, 3}}, {dtype::i32, 1, {4}}, 5, 0, 0),
             s({dtype::f64, 3, {2, 3, 5}}, {dtype::i32, 1, {4}}, 5, 2, 0),
             s({dtype::f64, 1, {300}}, {dtype::u8, 1, {6}}, 250, 0, 0),
             s({dtype::f64, 2, {5, 3}}, {dtype::i32, 2, {2, 2}}, 3, 1, 0),
             s({dtype::f64, 2, {4, 3}}, {dtype::i32, 2, {4, 1}}, 3, 1, 1),
             s({dtype::f64, 3, {2, 3, 4}}, {dtype::i32, 2, {2, 5}}, 3, 1, 1)}};
  }
  static constexpr auto jvp =
      per_operand{[](var t, eqn e) { return gather(t, e[1], gather_dims::read(e.attrs())); }, zero};
  static constexpr auto transpose = per_operand{
      [](var ct, eqn e) { return scatter_add(full(ct.g, e.type(0), 0), e[1], ct, gather_dims::read(e.attrs())); },
      zero};
  static void reference(call const& c);
};

/// gather where an index out of range reads 0: what scatter_add did not add has no cotangent.
constexpr var gather_or_zero(var x, var index, gather_dims d) {
  var r = gather(x, index, d);
  if (type_of(index).d != dtype::i32) index = convert(index, dtype::i64);  // sizes must fit
  tensor_type t = type_of(index), scalar{t.d, 0, {}};
  extent n = type_of(x).e[d.axis];
  graph* g = tracing::resolve(x).g;
  var size = n >= 0 ? full(g, scalar, double(n)) : tracing::emit(code<extent_size_p>, nullptr, 0, &n, 1, scalar, g);
  size = broadcast(size, t, nullptr);
  var inside = logical_and(apply<le_p>(full_like(index, 0), index + size), lt(index, size));
  int dims[max_rank]{};
  for (int i = 0; i < t.rank; ++i) dims[i] = i < d.n_batch ? i : d.axis + i - d.n_batch;
  return select(broadcast(inside, type_of(r).with(dtype::boolean), dims), r, full_like(r, 0));
}

/// attributes  as gather's; x with updates [batch, pre, i, post] added at index [batch, i]
struct scatter_add_p : movement {
  static constexpr auto name = "scatter_add";
  static constexpr auto combined_by = dist::reduction::sum;
  static constexpr ops::form form = ops::form::scatter;
  static constexpr int arity = 3;
  static constexpr accepts takes = accepts::numbers;

  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    tensor_type slices{};
    int wrong = gather_p::shape(in, 2, a, n, &slices);
    if (wrong) return wrong;
    out[0] = in[0];
    return slices == in[2] ? 0 : shapes_differ;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    var in[3]{};
    for (int k = 0; k < 3; ++k) in[k] = e.is_batched[k] ? e.in[k] : broadcast_front(e.in[k], e.size);
    auto const [axis, nb] = gather_dims::read(e.attrs());
    out[0] = scatter_add(in[0], in[1], in[2], {axis + 1, nb + 1});
  }
  /// Not along the index, which may name a place twice.
  static constexpr sharding_rule sharding(tensor_type const* in, int, std::int64_t const* a, int) {
    sharding_rule r;
    auto const [axis, nb] = gather_dims::read(a);
    int const ni = in[1].rank - nb;
    for (int i = 0; i < in[0].rank; ++i) {
      if (i == axis) continue;
      r.join(0, i, i);
      r.join(2, i < axis ? i : i + ni - 1, i);
      if (i < nb) r.join(1, i, i);
    }
    // updates that are added by different ranks: x once
    for (int i = nb; i < in[1].rank; ++i)
      r.operand[2].factor[axis + i - nb] = static_cast<signed char>(r.combine(1, i));
    return r;
  }
  static constexpr samples make_samples(interval from) {
    samples r = gather_p::make_samples(from);
    for (int i = 0; i < r.n; ++i) {
      sample& s = r.s[i];
      gather_p::shape(s.type, 2, s.attr, 2, &s.type[2]);
      s.from[2] = from;
      if (s.type[1].d == dtype::i32) s.from[1] = {s.from[1].lo - 2, s.from[1].hi + 2};  // some add nothing
      s.n = 3;
    }
    return r;
  }
  static constexpr auto jvp = per_operand{
      [](var t, eqn) { return t; }, zero,
      [](var t, eqn e) { return scatter_add(full(t.g, e.type(0), 0), e[1], t, gather_dims::read(e.attrs())); }};
  static constexpr auto transpose =
      per_operand{[](var ct, eqn) { return ct; }, zero,
                  [](var ct, eqn e) { return gather_or_zero(ct, e[1], gather_dims::read(e.attrs())); }};
  static void reference(call const& c);
};

/// For each of n places, where in the index it is named last, or -1: who writes it where slices are set.
///
/// attributes  how many leading axes are batches, and n
/// shape   index [batch, i] -> [batch, n], i32
struct last_at_p : movement {
  static constexpr auto name = "last_at";
  static constexpr ops::form form = ops::form::routine;

  static constexpr int shape(tensor_type const* in, int, std::int64_t const* a, int n, tensor_type* out) {
    if (!is_integer(in[0].d)) return 33;
    if (n != 2 || a[0] < 0 || a[0] > in[0].rank) return bad_axis;
    out[0] = {dtype::i32, int(a[0]) + 1, {}};
    for (int i = 0; i < a[0]; ++i) out[0].e[i] = in[0].e[i];
    out[0].e[a[0]] = a[1];
    return 0;
  }
  static constexpr void batch(batched_eqn const& e, var* out) {
    std::int64_t a[] = {e.attr(0) + 1, e.attr(1)};
    out[0] = apply_with<last_at_p>(e.in[0], a, 2);
  }
  static constexpr samples make_samples(interval) {
    return {
        2,
        {one_operand({dtype::i32, 1, {6}}, {-5, 6}, {0, 4}), one_operand({dtype::i64, 3, {2, 2, 3}}, {-5, 6}, {1, 5})}};
  }
  static constexpr auto jvp = absent{"integers"};
  static constexpr auto transpose = absent{"not linear"};
  static void reference(call const& c);
  static void run(call const& c, std::int64_t from, std::int64_t to);
  static std::int64_t units(call const&) { return 1; }
};

}  // namespace etna::ops
