// SPDX-License-Identifier: BSD-3-Clause
// The language of rules: primitives applied to values of a graph, shapes found by the rows. No
// implicit broadcast here: operands of elementwise primitives have equal types. Read next: family.hpp.
#pragma once
#include <etna/array/bits.hpp>

#include "attributes.hpp"
#include "rule.hpp"

namespace etna::ops {

template <class P, class... V> constexpr var apply(V... v) {
  var in[] = {v...};
  return tracing::emit(code<P>, in, sizeof...(V), nullptr, 0);
}
template <class P> constexpr var apply_with(var x, std::int64_t const* attr, int n) {
  return tracing::emit(code<P>, &x, 1, attr, n);
}

/// A constant of the user's, which a recording has once for each use as well.
constexpr var full_anew(graph* g, tensor_type const& t, std::int64_t bits) {
  return tracing::emit(code<full_p>, nullptr, 0, &bits, 1, t, g);
}
/// A constant array of this type in the graph g, all of whose elements have these bits. While compiling, and outside of
/// blocks, it is the equation that was written before: a tree of parameters asks for the same few numbers at each leaf.
constexpr var full_of(graph* g, tensor_type const& t, std::int64_t bits) {
  if (g->on_heap || g->abstract) return full_anew(g, t, bits);
  std::uint64_t h = std::uint64_t(bits) + std::uint64_t(t.rank) * 7;
  for (int i = 0; i < t.rank; ++i) h = h * 31 + std::uint64_t(t.e[i]);
  int& id = g->constants[h * 0x9e3779b97f4a7c15u >> (64 - graph::constant_bits)];
  if (id < g->n_values) {  // it may be another's, or of a part of the graph that is gone
    tracing::value_info const& x = g->values[id];
    tracing::node_info const& n = g->nodes[x.node];
    if (n.op == code<full_p> && n.depth == g->depth && g->attrs[n.attr] == bits && x.type == t) return {g, id};
  }
  var y = full_anew(g, t, bits);
  id = y.id;
  return y;
}
constexpr var full(graph* g, tensor_type const& t, double v) { return full_of(g, t, to_bits(t.d, v)); }
constexpr var full_like(var x, double v) { return full(tracing::resolve(x).g, type_of(x), v); }
constexpr var iota(graph* g, tensor_type const& t, int axis) {
  std::int64_t a = axis;
  return tracing::emit(code<iota_p>, nullptr, 0, &a, 1, t, g);
}

/// A new name for a value: an inner function's argument, told apart from what it captures.
constexpr var alias(var x) { return apply<copy_p>(x); }
/// A value of this type that no equation computes: an argument, or a tangent not known yet.
constexpr var argument(graph* g, tensor_type const& t, std::int64_t number = tracing::stand_in) {
  return tracing::emit(code<input_p>, nullptr, 0, &number, 1, t, g);
}
/// One example of `whole`, seen only from inside the vmap of this level.
constexpr var example_of(graph& g, var whole, int level) {
  tensor_type one = tracing::type_of(whole).drop(0);
  g.batch[level] = tracing::type_of(whole).e[0];
  int id = g.append(code<input_p>, level, nullptr, 0, nullptr, 0, &one, 1);
  g.values[id].shadow = whole.id;
  return {&g, id};
}

constexpr var neg(var x) { return apply<neg_p>(x); }
constexpr var add(var x, var y) { return apply<add_p>(x, y); }
constexpr var sub(var x, var y) { return apply<sub_p>(x, y); }
constexpr var mul(var x, var y) { return apply<mul_p>(x, y); }
constexpr var div(var x, var y) { return apply<div_p>(x, y); }
/// t * c, and 0 wherever t is 0: a branch that `where` did not take gives no 0 * inf.
constexpr var scale(var t, var c) { return apply<scale_p>(t, c); }
constexpr var select(var p, var x, var y) { return apply<select_p>(p, x, y); }
constexpr var eq(var x, var y) { return apply<eq_p>(x, y); }
constexpr var lt(var x, var y) { return apply<lt_p>(x, y); }
constexpr var logical_and(var x, var y) { return apply<logical_and_p>(x, y); }

constexpr var convert(var x, dtype d) {
  if (type_of(x).d == d) return x;
  std::int64_t a = std::int64_t(d);
  return apply_with<convert_p>(x, &a, 1);
}

/// The axis i of x becomes the axis dims[i] of the result; other axes are new.
constexpr var broadcast(var x, tensor_type const& to, int const* dims) {
  broadcast_words w(to);
  for (int i = 0, r = type_of(x).rank; i < r; ++i) w.put(dims[i]);
  return apply_with<broadcast_p>(x, w.a, w.n);
}
/// x repeated along a new axis in front.
constexpr var broadcast_front(var x, extent n) {
  int dims[max_rank]{};
  for (int i = 0; i < max_rank; ++i) dims[i] = i + 1;
  return broadcast(x, type_of(x).insert(0, n), dims);
}
/// The result of a reduction spread over the axes that it dropped.
constexpr var broadcast_back(var x, tensor_type const& to, std::int64_t const* axes, int n) {
  int dims[max_rank]{};
  for (int i = 0, k = 0; i < to.rank; ++i) {
    bool dropped = false;
    for (int j = 0; j < n; ++j) dropped = dropped || axes[j] == i;
    if (!dropped) dims[k++] = i;
  }
  return broadcast(x, to.with(type_of(x).d), dims);
}
constexpr var reshape(var x, tensor_type const& to) {
  if (type_of(x).same_shape(to)) return x;
  shape_words w(to);
  return apply_with<reshape_p>(x, w.a, w.n);
}
/// Axis i of the result is axis perm[i] of x.
constexpr var transpose(var x, int const* perm) {
  int r = type_of(x).rank;
  std::int64_t a[max_rank]{};
  bool same = true;
  for (int i = 0; i < r; ++i) {
    a[i] = perm[i];
    same = same && perm[i] == i;
  }
  return same ? x : apply_with<transpose_p>(x, a, r);
}
/// x with the axis `from` moved to `to`.
constexpr var move_axis(var x, int from, int to) {
  int r = type_of(x).rank, perm[max_rank]{};
  for (int i = 0, j = 0; i < r; ++i) {
    if (j == from) ++j;
    perm[i] = i == to ? from : j++;
  }
  return transpose(x, perm);
}
template <class P> constexpr var reduce(var x, std::int64_t const* axes, int n) {
  return n == 0 ? x : apply_with<P>(x, axes, n);
}
constexpr var sum(var x, std::int64_t const* axes, int n) { return reduce<sum_p>(x, axes, n); }

/// Which axes a product contracts and which it runs over in step.
struct dot_dims {
  int n_batch = 0, n_contract = 0;
  int lhs_batch[max_rank]{}, rhs_batch[max_rank]{}, lhs_contract[max_rank]{}, rhs_contract[max_rank]{};
  std::int64_t precision = 0;     // etna::precision; 0: as the element type has it
  dtype accumulate = dtype::f32;  // element type of the sums and of the result

  constexpr int write(std::int64_t* a) const {
    int n = 0;
    a[n++] = n_batch;
    a[n++] = n_contract;
    for (int i = 0; i < n_batch; ++i) a[n++] = lhs_batch[i];
    for (int i = 0; i < n_batch; ++i) a[n++] = rhs_batch[i];
    for (int i = 0; i < n_contract; ++i) a[n++] = lhs_contract[i];
    for (int i = 0; i < n_contract; ++i) a[n++] = rhs_contract[i];
    a[n++] = precision;
    a[n++] = std::int64_t(accumulate);
    return n;
  }
  static constexpr dot_dims read(std::int64_t const* a) {
    dot_dims d;
    d.n_batch = int(*a++);
    d.n_contract = int(*a++);
    for (int i = 0; i < d.n_batch; ++i) d.lhs_batch[i] = int(*a++);
    for (int i = 0; i < d.n_batch; ++i) d.rhs_batch[i] = int(*a++);
    for (int i = 0; i < d.n_contract; ++i) d.lhs_contract[i] = int(*a++);
    for (int i = 0; i < d.n_contract; ++i) d.rhs_contract[i] = int(*a++);
    d.precision = *a++;
    d.accumulate = dtype(*a++);
    return d;
  }
};
constexpr var dot_general(var x, var y, dot_dims const& d) {
  std::int64_t a[4 * max_rank + 4]{};
  int n = d.write(a);
  var in[] = {x, y};
  return tracing::emit(code<dot_general_p>, in, 2, a, n);
}

/// Slices of x along an axis at integer positions; the first axes of both run in step.
constexpr var gather(var x, var index, gather_dims d) {
  std::int64_t a[] = {d.axis, d.n_batch};
  var in[] = {x, index};
  return tracing::emit(code<gather_p>, in, 2, a, 2);
}
constexpr var scatter_add(var x, var index, var updates, gather_dims d) {
  std::int64_t a[] = {d.axis, d.n_batch};
  var in[] = {x, index, updates};
  return tracing::emit(code<scatter_add_p>, in, 3, a, 2);
}

/// The block of x that is this along each axis.
constexpr var slice(var x, slice_dim const* block) {
  dims_as_words w(block, type_of(x).rank);
  return apply_with<slice_p>(x, w.a, w.n);
}
/// All windows of x.
constexpr var windows(var x, window_dim const* dims) {
  dims_as_words w(dims, type_of(x).rank);
  return apply_with<windows_p>(x, w.a, w.n);
}
/// Windows of an array put back where they were read, and added.
constexpr var overlap_add(var x, overlap_dim const* dims, int rank) {
  dims_as_words w(dims, rank);
  return apply_with<overlap_add_p>(x, w.a, w.n);
}
/// x with u in place of the block that begins there.
constexpr var update(var x, var u, update_dim const* block) {
  dims_as_words w(block, type_of(x).rank);
  var in[] = {x, u};
  return tracing::emit(code<update_p>, in, 2, w.a, w.n);
}

}  // namespace etna::ops

namespace etna::tracing {
// Operators in rules.
constexpr var operator-(var x) { return ops::neg(x); }
constexpr var operator+(var x, var y) { return ops::add(x, y); }
constexpr var operator-(var x, var y) { return ops::sub(x, y); }
constexpr var operator*(var x, var y) { return ops::mul(x, y); }
constexpr var operator/(var x, var y) { return ops::div(x, y); }
}  // namespace etna::tracing
