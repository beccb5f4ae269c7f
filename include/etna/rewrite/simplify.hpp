// SPDX-License-Identifier: BSD-3-Clause
// Algebraic identities, one per line where they fit on one. They keep NaN and inf as they are (x * 0
// stays); only constants that are known while compiling are folded. Read next: gates.hpp.
#pragma once
#include "joined_operands.hpp"
#include "known_places.hpp"
#include "put_together.hpp"

namespace etna::rewrite {

/// Arithmetic on constants that every compiler evaluates in a constant (no transcendentals).
constexpr int fold(term const& t) {
  using namespace ops;
  if (!is_floating(t.out.d)) return nothing;
  switch (t.op) {
    case code<add_p>:
    case code<sub_p>:
    case code<mul_p>:
    case code<neg_p>:
    case code<scale_p>:
    case code<max_p>:
    case code<min_p>: break;
    case code<div_p>:
      if (t.number(1) != 0) break;
      return nothing;
    default: return nothing;
  }
  double x[2]{};
  for (int k = 0; k < t.n; ++k) {
    if (!t.finite(k)) return nothing;
    x[k] = t.number(k);
  }
  return t.full(row_of(t.op).scalar.real(x));
}

/// What `fold` leaves: choices, comparisons, whole numbers and bools that are known.
constexpr int fold_whole(term const& t) {
  using namespace ops;
  std::int64_t x[2]{};
  switch (t.op) {
    case code<select_p>: return t.constant(0) ? t.in[t.number(0) != 0 ? 1 : 2] : nothing;
    case code<eq_p>:
    case code<ne_p>:
    case code<lt_p>:
    case code<le_p>:
      if (t.constants < 2) return nothing;
      if (is_floating(t.type(0).d)) {
        if (!t.finite(0) || !t.finite(1)) return nothing;
        double y[2] = {t.number(0), t.number(1)};
        return t.full(row_of(t.op).scalar.real(y));
      }
      break;
    case code<add_p>:
    case code<sub_p>:
    case code<mul_p>:
    case code<neg_p>:
    case code<max_p>:
    case code<min_p>:
    case code<logical_and_p>:
    case code<logical_or_p>:
    case code<logical_xor_p>:
    case code<logical_not_p>:
      if (t.constants < t.n || is_floating(t.out.d)) return nothing;
      break;
    default: return nothing;
  }
  for (int k = 0; k < t.n; ++k) {
    if (!t.finite(k) || t.number(k) > 0x1p30 || t.number(k) < -0x1p30) return nothing;
    x[k] = t.g.attrs[t.node(k).attr];
  }
  std::int64_t r = row_of(t.op).scalar.whole(x);
  dtype_row const& held = row_of(t.out.d);
  bool const fits = t.out.d == dtype::boolean || (r >= held.least && r <= std::int64_t(held.most & 0x7fffffff));
  return fits ? t.full(double(r)) : nothing;
}

/// A comparison with a constant that has also chosen between the two is asked of what it chose: c < a where
/// r = (c < a ? a : c) is c < r, and a < c where r = (a < c ? a : c) is r < c. The result is kept for who reads it, so
/// a derivative (relu's, clip's) keeps no mask. `t` selects by the comparison for another value.
constexpr int mask_of_result(term const& t) {
  using namespace ops;
  int const* compared = t.g.edges + t.node(0).edge;
  for (int k = 0; k < 2; ++k) {
    if (t.g.nodes[t.g.values[compared[1 - k]].node].op != code<full_p>) continue;
    int const choice[] = {t.in[0], compared[k], compared[1 - k]};
    tensor_type const& chosen = t.g.values[compared[k]].type;
    if (t.in[1] == choice[1] && t.in[2] == choice[2]) return nothing;  // it is the choice itself
    if (!t.w.has(code<select_p>, choice, 3, nullptr, 0, &chosen)) continue;
    int const r = t.w.write(code<select_p>, choice, 3, nullptr, 0, &chosen, 1);
    int both[] = {k ? compared[0] : r, k ? r : compared[1]};
    int mask = t.w.write(code<lt_p>, both, 2, nullptr, 0, &t.type(0), 1);
    int all[] = {mask, t.in[1], t.in[2]};
    return t.w.write(code<select_p>, all, 3, nullptr, 0, &t.out, 1);
  }
  return nothing;
}

constexpr int identity(term const& t) {
  using namespace ops;
  switch (t.op) {
    case code<copy_p>:
    case code<stop_gradient_p>:
    case code<mesh_border_p>:
    case code<name_p>: return t.in[0];
    case code<convert_p>:
      if (t.type(0).d == t.out.d) return t.in[0];
      return t.constant(0) ? t.full_bits(converted_bits(t.type(0).d, t.g.attrs[t.node(0).attr], t.out.d)) : nothing;
    case code<neg_p>: return t.from[0] == code<neg_p> ? t.g.edges[t.node(0).edge] : nothing;
    case code<add_p>:
      if (t.constants && t.is_nothing(1, true)) return t.in[0];
      if (t.constants && t.is_nothing(0, true)) return t.in[1];
      for (int k = 0; k < 2; ++k)
        if (t.from[k] == code<neg_p>) return t.make<sub_p>(t.in[1 - k], t.g.edges[t.node(k).edge]);
      if (t.from[0] != t.from[1]) return nothing;
      if (t.from[0] == code<scatter_add_p>) return scattered(t);
      if (t.from[0] != code<update_p>) return nothing;
      if (int const r = put_together(t); r != nothing) return r;
      return put_into_hole(t);
    case code<sub_p>:
      if (t.constants && t.is_nothing(1, false)) return t.in[0];
      return t.from[1] == code<neg_p> ? t.make<add_p>(t.in[0], t.g.edges[t.node(1).edge]) : nothing;
    case code<mul_p>:
      if (t.constants && t.constant(1, 1)) return t.in[0];
      return t.constants && t.constant(0, 1) ? t.in[1] : nothing;
    case code<div_p>:
      if (t.constants && t.constant(1, 1)) return t.in[0];
      return t.constants && t.power_of_two(1) ? t.make<mul_p>(t.in[0], t.full(1 / t.number(1))) : nothing;
    case code<scale_p>:
      if (!t.constants) return nothing;
      if (t.constant(0, 0)) return t.full(0);
      if (t.constant(0, 1)) return t.in[1];
      if (t.constant(1, 1)) return t.in[0];
      return t.finite(1) || t.constant(0) ? t.make<mul_p>(t.in[0], t.in[1]) : nothing;
    case code<select_p>:
      if (t.in[1] == t.in[2]) return t.in[1];
      return t.from[0] == code<lt_p> ? mask_of_result(t) : nothing;
    default: return nothing;
  }
}

constexpr int elementwise(term const& t) {
  int r = t.constants == t.n ? fold(t) : nothing;
  if (r < 0 && t.constants) r = fold_whole(t);
  return r < 0 ? identity(t) : r;
}

/// A broadcast of a broadcast whose axes a reshape joined: the axes are joined at last, so that both are one pass
/// (`repeat` along two axes).
constexpr int broadcast_of_joined_axes(term const& t) {
  using namespace ops;
  int const y = t.g.edges[t.node(0).edge];
  tensor_type const from = t.g.values[y].type, joined = t.type(0);
  if (t.g.nodes[t.g.values[y].node].op != code<broadcast_p> || !from.is_static() || !t.out.is_static()) return nothing;
  tensor_type wide{t.out.d, 0, {}};
  int place[max_rank]{}, a = 0;  // of an axis of y: in `wide`
  for (int k = 0, i = 0; k < joined.rank; ++k) {
    int const axis = broadcast_words::axis_of(t.attr, k);
    if (joined.e[k] != t.out.e[axis]) return nothing;
    extent n = 1;
    int last = i;
    while (last < from.rank && (n < joined.e[k] || (from.e[last] == 1 && k + 1 == joined.rank))) n *= from.e[last++];
    if (n != joined.e[k] || wide.rank + axis - a + last - i > max_rank) return nothing;
    for (; a < axis; ++a) wide.e[wide.rank++] = t.out.e[a];
    for (++a; i < last; ++i) place[i] = wide.rank, wide.e[wide.rank++] = from.e[i];
    if (k + 1 == joined.rank && i < from.rank) return nothing;
  }
  if (wide.rank + t.out.rank - a > max_rank) return nothing;
  for (; a < t.out.rank; ++a) wide.e[wide.rank++] = t.out.e[a];
  broadcast_words to(wide);
  for (int i = 0; i < from.rank; ++i) to.put(place[i]);
  return reshaped(t.w, t.w.write(t.op, &y, 1, to.a, to.n, &wide, 1), t.out);
}

/// Broadcasts, reshapes and transposes: of constants, of nothing, and of one another.
constexpr int movement(term const& t) {
  using namespace ops;
  if (t.op == code<broadcast_p> && t.from[0] == code<update_p>) return broadcast_of_constants(t);
  if (t.op == code<broadcast_p> && t.from[0] == code<reshape_p>)
    if (int const r = broadcast_of_joined_axes(t); r >= 0) return r;
  if (t.constants) return t.w.write(code<full_p>, nullptr, 0, t.g.attrs + t.node(0).attr, 1, &t.out, 1);
  if (t.op != code<transpose_p> && t.type(0).same_shape(t.out)) return t.in[0];
  if (t.op == code<reshape_p> && t.from[0] == code<reshape_p>) {
    int x = t.g.edges[t.node(0).edge];
    if (t.g.values[x].type.same_shape(t.out)) return x;
    return t.w.write(t.op, &x, 1, t.attr, t.n_attr, &t.out, 1);
  }
  if (t.op == code<transpose_p> && t.from[0] == code<reshape_p>)
    if (int const r = transpose_of_split_axes(t); r >= 0) return r;
  if (t.op == code<transpose_p> && (t.from[0] == code<update_p> || t.from[0] == code<slice_p>))
    if (turned const r(t); r.is_free(t.in[0])) return r.write(t.in[0]);
  if (t.op == code<transpose_p>) {
    std::int64_t perm[max_rank]{};
    bool inner = t.from[0] == code<transpose_p>, same = true;
    int x = inner ? t.g.edges[t.node(0).edge] : t.in[0];
    for (int i = 0; i < t.n_attr; ++i) {
      perm[i] = inner ? t.g.attrs[t.node(0).attr + t.attr[i]] : t.attr[i];
      same = same && perm[i] == i;
    }
    if (same) return x;
    if (inner) return t.w.write(t.op, &x, 1, perm, t.n_attr, &t.out, 1);
  }
  return nothing;
}

/// The first few of a row in order: the others need no order.
constexpr int first_of_sorted(term const& t) {
  using namespace ops;
  int const last = t.out.rank - 1;
  extent const all = t.type(0).e[last], first = t.out.e[last];
  for (int i = 0; i <= last; ++i) {
    slice_dim const s = slice_dim::read(t.attr, i);
    if (s.start != 0 || s.step != 1 || (i < last && t.out.e[i] != t.type(0).e[i])) return nothing;
  }
  node_info const sort = t.node(0);
  if (first < 1 || first * tuning::sort::of > all) return nothing;
  std::int64_t const attr[] = {t.g.attrs[sort.attr], first};
  int const x = t.g.edges[sort.edge], which = t.in[0] - sort.value;
  tensor_type const types[] = {t.out.with(t.g.values[sort.value].type.d), t.out.with(dtype::i32)};
  return t.w.write(sort.op, &x, 1, attr, 2, types, 2) + which;
}

/// Slices: of constants, of everything, of pieces, and of one another.
constexpr int slices(term const& t) {
  using namespace ops;
  if (t.constants) return t.w.write(code<full_p>, nullptr, 0, t.g.attrs + t.node(0).attr, 1, &t.out, 1);
  bool whole = t.type(0).same_shape(t.out);
  for (int i = 0; i < t.out.rank; ++i) whole = whole && (slice_dim::read(t.attr, i).step == 1 || t.out.e[i] <= 1);
  if (whole && t.out.is_static()) return t.in[0];
  if (t.from[0] == code<update_p>) {
    int const r = slice_of_pieces(t);
    node_info const n = t.g.nodes[t.g.values[r < 0 ? t.in[0] : r].node];
    if (r < 0 || n.op != code<slice_p>) return r;
    int const x = t.g.edges[n.edge], product = slice_of_outer_product(term(t.w, t.g, n, &x));
    return product < 0 ? r : product;
  }
  if (t.from[0] == code<dot_general_p> || t.from[0] == code<transpose_p>) return slice_of_outer_product(t);
  if (t.from[0] == code<sort_p>) return first_of_sorted(t);
  if (t.from[0] != code<slice_p>) return nothing;
  std::int64_t a[slice_dim::words * max_rank]{};
  for (int i = 0; i < t.out.rank; ++i) {
    slice_dim const inner = slice_dim::read(t.g.attrs + t.node(0).attr, i), outer = slice_dim::read(t.attr, i);
    slice_dim{inner.start + outer.start * inner.step, outer.size, inner.step * outer.step}.write(a, i);
  }
  int x = t.g.edges[t.node(0).edge];
  return t.w.write(t.op, &x, 1, a, t.n_attr, &t.out, 1);
}

/// A sum or extreme over axes along which a broadcast repeats: over the operand's own axes, and for sums times how
/// often.
constexpr int repeated(term const& t) {
  using namespace ops;
  bool sums = t.op == code<sum_p>;
  if (t.from[0] != code<broadcast_p> ||
      !(t.op == code<amax_p> || t.op == code<amin_p> || (sums && is_floating(t.out.d))))
    return nothing;
  int x = t.g.edges[t.node(0).edge];
  tensor_type const wide = t.type(0), narrow = t.g.values[x].type;
  std::int64_t const* spread = t.g.attrs + t.node(0).attr;
  bool gone[max_rank]{}, longer = false;
  int place[max_rank]{};  // of a kept axis in the result
  for (int i = 0; i < t.n_attr; ++i) gone[t.attr[i]] = true;
  for (int i = 0, k = 0; i < wide.rank; ++i) place[i] = gone[i] ? -1 : k++;
  extent times = 1;
  for (int i = 0; i < wide.rank; ++i)
    if (gone[i]) times = ext::mul(times, wide.e[i]);
  // the operand's own axes, which do not count as repeated
  tensor_type rest{narrow.d, 0, {}};
  std::int64_t own[max_rank]{};
  broadcast_words to(t.out);
  int n_own = 0;
  for (int k = 0; k < narrow.rank; ++k)
    if (int const axis = broadcast_words::axis_of(spread, k); gone[axis]) {
      if (narrow.e[k] < 1) return nothing;
      if (narrow.e[k] > 1) longer = true, times /= narrow.e[k];
      own[n_own++] = k;
    } else {
      to.put(place[axis]);
      rest.e[rest.rank++] = narrow.e[k];
    }
  if (times <= 1 || times >= (extent(1) << 24)) return nothing;
  if (longer) x = t.w.write(t.op, &x, 1, own, n_own, &rest, 1);
  else if (n_own > 0) x = reshaped(t.w, x, rest);
  if (!rest.same_shape(t.out)) x = t.w.write(code<broadcast_p>, &x, 1, to.a, to.n, &t.out, 1);
  return sums ? t.make<mul_p>(x, t.full(double(times))) : x;
}

/// Sums of constants, and reductions over axes of size 1.
constexpr int reductions(term const& t) {
  using namespace ops;
  bool trivial = true;
  for (int i = 0; i < t.n_attr; ++i) trivial = trivial && t.type(0).e[t.attr[i]] == 1;
  if (trivial) return reshaped(t.w, t.in[0], t.out);
  if (t.op == code<sum_p> && t.finite(0) && is_floating(t.out.d)) {
    extent n = 1;
    for (int i = 0; i < t.n_attr; ++i) n = ext::mul(n, t.type(0).e[t.attr[i]]);
    if (n >= 0 && n < (extent(1) << 24)) return t.full(double(n) * t.number(0));
  }
  return repeated(t);
}

/// The best of one element is that one, at 0.
constexpr int best_of_one(writer& w, graph const& from, node_info const& n, int const* in) {
  tensor_type const &best = from.values[n.value].type, &where = from.values[n.value + 1].type;
  std::int64_t zero = 0;
  int x = reshaped(w, in[0], best), first = w.write(code<ops::full_p>, nullptr, 0, &zero, 1, &where, 1);
  int at = w.write_new(code<ops::copy_p>, x, best);
  w.write_new(code<ops::copy_p>, first, where);  // results follow one another
  return at;
}

/// Does the value name a place of an axis of n elements, whatever the arguments are? Where an extreme stands does.
constexpr bool is_place(graph const& g, int id, extent n) {
  using ops::form;
  for (;;) {
    node_info const& at = g.nodes[g.values[id].node];
    switch (ops::table.at[at.op].form) {
      case form::broadcast:
      case form::reshape:
      case form::transpose:
      case form::slice: id = g.edges[at.edge]; break;
      case form::arg_reduction: {
        extent m = g.values[g.edges[at.edge]].type.e[g.attrs[at.attr]];
        return id == at.value + 1 && m > 0 && m <= n;
      }
      default: return false;
    }
  }
}
/// A gather from a constant: where no index can be out of range, it is the constant. Otherwise by a constant.
constexpr int gathers(term const& t) {
  if (!t.constant(0) || !is_place(t.g, t.in[1], t.type(0).e[ops::gather_dims::read(t.attr).axis]))
    return gather_of_known_places(t);
  return t.w.write(code<ops::full_p>, nullptr, 0, t.g.attrs + t.node(0).attr, 1, &t.out, 1);
}

/// scatter_add of one slice element a row onto zeros: a comparison with a ramp, which fuses.
constexpr int one_hot(term const& t) {
  using namespace ops;
  if (!t.constant(0, 0)) return nothing;
  tensor_type const& index = t.type(1);
  auto const [axis, nb] = gather_dims::read(t.attr);
  int r = t.out.rank;
  if (axis != nb || axis != r - 1) return nothing;
  for (int i = nb; i < index.rank; ++i)
    if (index.e[i] != 1) return nothing;
  extent n = t.out.e[axis];
  if (n < 0) return nothing;
  tensor_type row = t.out.with(index.d), flags = t.out.with(dtype::boolean), flat = index;
  flat.rank = nb;
  auto spread = [&](int x, tensor_type const& to) {
    if (t.g.values[x].type.rank != flat.rank) x = reshaped(t.w, x, flat.with(to.d));
    broadcast_words w(to);
    for (int i = 0; i < flat.rank; ++i) w.put(i);
    return t.w.write(code<broadcast_p>, &x, 1, w.a, w.n, &to, 1);
  };
  auto write = [&](int op, std::initializer_list<int> in, tensor_type const& out) {
    return t.w.write(op, in.begin(), int(in.size()), nullptr, 0, &out, 1);
  };
  // a negative index counts from the end
  tensor_type it = index, ib = index.with(dtype::boolean);
  std::int64_t zero = 0, count = n, along = axis;
  int none = t.w.write(code<full_p>, nullptr, 0, &zero, 1, &it, 1),
      all = t.w.write(code<full_p>, nullptr, 0, &count, 1, &it, 1);
  int negative = write(code<lt_p>, {t.in[1], none}, ib);
  int place = write(code<select_p>, {negative, write(code<add_p>, {t.in[1], all}, it), t.in[1]}, it);
  int ramp = t.w.write(code<iota_p>, nullptr, 0, &along, 1, &row, 1);
  int here = write(code<eq_p>, {ramp, spread(place, row)}, flags);
  return write(code<select_p>, {here, spread(t.in[2], t.out), t.full(0)}, t.out);
}

/// The rule of the pass.
constexpr int simplify_equation(writer& w, graph const& from, node_info const& n, int const* in) {
  using ops::form;
  if (n.operands == 0 && n.results == 1)
    return w.write(n.op, in, 0, from.attrs + n.attr, n.attrs, &from.values[n.value].type, 1);
  if (ops::table.at[n.op].form == form::arg_reduction && w.to.values[in[0]].type.e[from.attrs[n.attr]] == 1)
    return best_of_one(w, from, n, in);
  if (n.results != 1 || (from.has_wide && ops::table.at[n.op].wide.there)) return keep(w, from, n, in);
  term const t(w, from, n, in);
  int r = nothing;
  switch (ops::table.at[n.op].form) {
    case form::pointwise:
    case form::convert: r = elementwise(t); break;
    case form::broadcast:
    case form::reshape:
    case form::transpose: r = movement(t); break;
    case form::slice: r = slices(t); break;
    case form::reduction: r = reductions(t); break;
    case form::contraction: r = product_of_pieces(t); break;
    case form::gather: r = gathers(t); break;
    case form::scatter:
      r = scatter_of_known_places(t);
      if (r < 0) r = one_hot(t);
      break;
    case form::routine:
      if (t.op == code<ops::update_p> && t.type(1).same_shape(t.out)) r = t.in[1];  // nothing is left of the operand
      break;
    default: break;
  }
  return r >= 0 ? r : w.write(n.op, in, n.operands, t.attr, n.attrs, &t.out, 1);
}

}  // namespace etna::rewrite
