// SPDX-License-Identifier: BSD-3-Clause
// Algebraic identities, one per line where they fit on one. They keep NaN and inf as they are (x * 0
// stays); only constants that are known while compiling are folded. Read next: gates.hpp.
#pragma once
#include "rewriter.hpp"

namespace etna::rewrite {

/// Of a constant's bits: clang takes no difference of infinities for a constant, and nvcc no comparison with NaN.
constexpr bool is_finite(dtype d, std::int64_t bits) { return !is_floating(d) || (bits >> 52 & 0x7ff) != 0x7ff; }

/// One equation on its way into the new graph.
struct term {
  writer& w;
  graph& g;
  int op;
  int const* in;
  int n;
  std::int64_t const* attr;
  int n_attr;
  tensor_type const& out;
  int source[tracing::max_operands]{};  // the node of each operand
  int from[tracing::max_operands]{};    // and its primitive
  int constants = 0;                    // operands that are the same number everywhere

  constexpr term(writer& w, graph& g, graph const& old, node_info const& n, int const* in)
      : w(w),
        g(g),
        op(n.op),
        in(in),
        n(n.operands),
        attr(old.attrs + n.attr),
        n_attr(n.attrs),
        out(old.values[n.value].type) {
    for (int k = 0; k < n.operands; ++k) {
      source[k] = g.values[in[k]].node;
      from[k] = g.nodes[source[k]].op;
      constants += from[k] == code<ops::full_p>;
    }
  }
  constexpr node_info const& node(int k) const { return g.nodes[source[k]]; }
  constexpr tensor_type const& type(int k) const { return g.values[in[k]].type; }
  constexpr bool constant(int k) const { return from[k] == code<ops::full_p>; }
  constexpr double number(int k) const { return bits_to_double(type(k).d, g.attrs[node(k).attr]); }
  constexpr bool constant(int k, double v) const { return finite(k) && number(k) == v; }
  /// -0 + 0 and -0 - (-0) are 0, so x - 0 and x + -0 are x, but x + 0 only in a derivative.
  constexpr bool is_nothing(int k, bool added) const {
    if (!constant(k, 0)) return false;
    return !is_floating(type(k).d) || g.derived || (g.attrs[node(k).attr] < 0) == added;
  }
  constexpr bool finite(int k) const { return constant(k) && is_finite(type(k).d, g.attrs[node(k).attr]); }
  /// A power of two whose reciprocal f32 holds too, so that a product with that is the quotient to the last bit.
  constexpr bool power_of_two(int k) const {
    if (!is_floating(type(k).d) || !finite(k)) return false;
    double v = number(k) < 0 ? -number(k) : number(k);
    return v >= 0x1p-100 && v <= 0x1p100 && (std::bit_cast<std::int64_t>(v) & 0xfffffffffffff) == 0;
  }
  constexpr int full(double v) const { return full_bits(to_bits(out.d, v)); }
  constexpr int full_bits(std::int64_t bits) const { return w.write(code<ops::full_p>, nullptr, 0, &bits, 1, &out, 1); }
  template <class P> constexpr int make(int a, int b) const {
    int both[] = {a, b};
    return w.write(code<P>, both, 2, nullptr, 0, &out, 1);
  }
};

constexpr int nothing = -1;

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

/// A sum of what is scattered onto zeros: the second is added where the first has been. (Not to any other array: each
/// of its elements would round where the sum of all did once.)
constexpr int scattered(term const& t) {
  using namespace ops;
  int onto[2]{};  // how many scatters, on zeros
  for (int k = 0; k < 2; ++k)
    for (int id = t.in[k];; id = t.g.edges[t.g.nodes[t.g.values[id].node].edge], ++onto[k]) {
      node_info const& n = t.g.nodes[t.g.values[id].node];
      if (n.op == code<scatter_add_p>) continue;
      if (n.op != code<full_p> || bits_to_double(t.out.d, t.g.attrs[n.attr]) != 0) return nothing;
      break;
    }
  if (onto[0] == 0 || onto[1] == 0 || (onto[0] > 1 && onto[1] > 1)) return nothing;
  int const last = onto[1] == 1, *operands = t.g.edges + t.node(last).edge,
            in[] = {t.in[1 - last], operands[1], operands[2]};
  return t.w.write(code<scatter_add_p>, in, 3, t.g.attrs + t.node(last).attr, t.node(last).attrs, &t.out, 1);
}

/// A sum of pieces in zeros, none of which lies over another: one array of all of them. (-0 + 0 is 0.)
constexpr int put_together(term const& t) {
  using namespace ops;
  constexpr int most = 64;
  if (is_floating(t.out.d) && !t.g.derived) return nothing;
  int pieces[2][most]{}, n[2]{};
  for (int k = 0; k < 2; ++k) {
    int i = t.source[k];
    for (; t.g.nodes[i].op == code<update_p> && n[k] < most; i = t.g.values[t.g.edges[t.g.nodes[i].edge]].node)
      pieces[k][n[k]++] = i;
    if (t.g.nodes[i].op != code<full_p> || bits_to_double(t.out.d, t.g.attrs[t.g.nodes[i].attr]) != 0) return nothing;
  }
  int const last = n[1] == 1, one = pieces[last][0];
  if (n[last] != 1) return nothing;
  for (int i = 0; i < n[1 - last]; ++i)
    if (!are_apart(t.g, t.g.nodes[one], t.g.nodes[pieces[1 - last][i]])) return nothing;
  int const in[] = {t.in[1 - last], t.g.edges[t.g.nodes[one].edge + 1]};
  return t.w.write(code<update_p>, in, 2, t.g.attrs + t.g.nodes[one].attr, t.g.nodes[one].attrs, &t.out, 1);
}

constexpr int identity(term const& t) {
  using namespace ops;
  switch (t.op) {
    case code<copy_p>:
    case code<stop_gradient_p>:
    case code<name_p>: return t.in[0];
    case code<convert_p>:
      if (t.type(0).d == t.out.d) return t.in[0];
      return t.constant(0) ? t.full_bits(converted_bits(t.type(0).d, t.g.attrs[t.node(0).attr], t.out.d)) : nothing;
    case code<neg_p>: return t.from[0] == code<neg_p> ? t.g.edges[t.node(0).edge] : nothing;
    case code<add_p>:
      if (t.constants && t.is_nothing(1, true)) return t.in[0];
      if (t.constants && t.is_nothing(0, true)) return t.in[1];
      if (t.from[1] == code<neg_p>) return t.make<sub_p>(t.in[0], t.g.edges[t.node(1).edge]);
      if (t.from[0] != t.from[1]) return nothing;
      return t.from[0] == code<scatter_add_p> ? scattered(t) : t.from[0] == code<update_p> ? put_together(t) : nothing;
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

/// Broadcasts, reshapes and transposes: of constants, of nothing, and of one another.
constexpr int movement(term const& t) {
  using namespace ops;
  if (t.constants) return t.w.write(code<full_p>, nullptr, 0, t.g.attrs + t.node(0).attr, 1, &t.out, 1);
  if (t.op != code<transpose_p> && t.type(0).same_shape(t.out)) return t.in[0];
  if (t.op == code<reshape_p> && t.from[0] == code<reshape_p>) {
    int x = t.g.edges[t.node(0).edge];
    if (t.g.values[x].type.same_shape(t.out)) return x;
    return t.w.write(t.op, &x, 1, t.attr, t.n_attr, &t.out, 1);
  }
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

/// Slices: of constants, of everything, and of one another.
constexpr int slices(term const& t) {
  using namespace ops;
  if (t.constants) return t.w.write(code<full_p>, nullptr, 0, t.g.attrs + t.node(0).attr, 1, &t.out, 1);
  bool whole = t.type(0).same_shape(t.out);
  for (int i = 0; i < t.out.rank; ++i) whole = whole && (slice_dim::read(t.attr, i).step == 1 || t.out.e[i] <= 1);
  if (whole && t.out.is_static()) return t.in[0];
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
/// A gather from a constant: where no index can be out of range, it is the constant.
constexpr int gathers(term const& t) {
  if (!t.constant(0) || !is_place(t.g, t.in[1], t.type(0).e[ops::gather_dims::read(t.attr).axis])) return nothing;
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
  term t(w, w.to, from, n, in);
  int r = nothing;
  switch (ops::table.at[n.op].form) {
    case form::pointwise:
    case form::convert:
      if (t.constants == t.n) r = fold(t);
      if (r < 0 && t.constants) r = fold_whole(t);
      if (r < 0) r = identity(t);
      break;
    case form::broadcast:
    case form::reshape:
    case form::transpose: r = movement(t); break;
    case form::slice: r = slices(t); break;
    case form::reduction: r = reductions(t); break;
    case form::gather: r = gathers(t); break;
    case form::scatter: r = one_hot(t); break;
    default: break;
  }
  return r >= 0 ? r : w.write(n.op, in, n.operands, t.attr, n.attrs, &t.out, 1);
}

}  // namespace etna::rewrite
