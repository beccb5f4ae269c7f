// SPDX-License-Identifier: BSD-3-Clause
// Rows: reductions over any axes. `lower` combines two values and `identity` starts; the order in
// which elements are combined is fixed by the kernel, so results repeat to the bit.
#pragma once
#include <limits>

#include "arithmetic.hpp"

namespace etna::ops {

struct sum_p : reduction<accepts::numbers> {
  static constexpr auto name = "sum";
  static constexpr auto combined_by = dist::reduction::sum;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return sum(t, e.attrs(), e.attr_count()); }};
  static constexpr auto transpose =
      per_operand{[](var ct, eqn e) { return broadcast_back(ct, e.type(0), e.attrs(), e.attr_count()); }};
  static constexpr auto reference = add_p::reference;  // integers wrap
  template <class T> ETNA_FN static constexpr T identity() { return T(0); }
  template <class T> ETNA_FN static T lower(T a, T x) { return add_p::lower(a, x); }
};

// The derivative by x[i] is the product of the others, exact where elements are 0 (also the second
// derivative), at the cost of n products of n elements.
struct prod_p : reduction<accepts::numbers> {
  static constexpr auto name = "prod";
  static constexpr auto jvp = per_operand{[](var t, eqn e) {
    // [rest, n]: the reduced axes last, as one
    tensor_type x = e.type(0);
    int perm[max_rank]{}, k = 0;
    extent rest = 1, n = 1;
    for (int pass = 0; pass < 2; ++pass)
      for (int i = 0; i < x.rank; ++i) {
        bool reduced = false;
        for (int j = 0; j < e.attr_count(); ++j) reduced = reduced || e.attr(j) == i;
        if (reduced != (pass == 1)) continue;
        perm[k++] = i;
        if (reduced) n = ext::mul(n, x.e[i]);
        else rest = ext::mul(rest, x.e[i]);
      }
    tensor_type flat{x.d, 2, {rest, n}}, square{x.d, 3, {rest, n, n}};
    int dims[] = {0, 2};
    var all = broadcast(reshape(ops::transpose(e[0], perm), flat), square, dims);
    tensor_type index = square.with(dtype::i32);
    var self = eq(iota(t.g, index, 1), iota(t.g, index, 2));
    std::int64_t last = 2;
    var others = reduce<prod_p>(select(self, full(t.g, square, 1), all), &last, 1);
    last = 1;
    return reshape(sum(scale(reshape(ops::transpose(t, perm), flat), others), &last, 1), e.out_type());
  }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = mul_p::reference;
  template <class T> ETNA_FN static constexpr T identity() { return T(1); }
  template <class T> ETNA_FN static T lower(T a, T x) { return mul_p::lower(a, x); }
};

/// The tangent of an extreme: equal extremes share the derivative evenly; where it is NaN, so are all of the
/// derivative.
constexpr var share_on_ties(var t, eqn e) {
  int n = e.attr_count();
  var shown = e.out(), known = eq(shown, shown), all = broadcast_back(shown, e.type(0), e.attrs(), n);
  var at = apply<logical_or_p>(eq(e[0], all), apply<ne_p>(all, all));
  var one = convert(at, e.type(0).d);
  var count = sum(one, e.attrs(), n);
  var hit = select(at, t, full_like(t, 0));  // written before the axes are read: the pool in which they lie may move
  return scale(sum(hit, e.attrs(), n),
               select(known, full_like(count, 1) / count, full_like(count, std::numeric_limits<double>::quiet_NaN())));
}

struct amax_p : reduction<accepts::numbers> {
  static constexpr auto name = "amax";
  static constexpr auto combined_by = dist::reduction::max;
  static constexpr bool selects = true, needs_elements = true;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return share_on_ties(t, e); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto a, auto x) { return x > a || x != x ? x : a; };
  template <class T> ETNA_FN static constexpr T identity() {
    if constexpr (std::numeric_limits<T>::has_infinity) return -std::numeric_limits<T>::infinity();
    else return std::numeric_limits<T>::lowest();
  }
  template <class T> ETNA_FN static T lower(T a, T x) {
    using math::max, math::select;
    if constexpr (std::is_integral_v<math::lane_of<T>>) return max(a, x);
    else return select((x > a) | (x != x), x, a);
  }
};

struct amin_p : reduction<accepts::numbers> {
  static constexpr auto name = "amin";
  static constexpr auto combined_by = dist::reduction::min;
  static constexpr bool selects = true, needs_elements = true;
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return share_on_ties(t, e); }};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto a, auto x) { return x < a || x != x ? x : a; };
  template <class T> ETNA_FN static constexpr T identity() {
    if constexpr (std::numeric_limits<T>::has_infinity) return std::numeric_limits<T>::infinity();
    else return std::numeric_limits<T>::max();
  }
  template <class T> ETNA_FN static T lower(T a, T x) {
    using math::min, math::select;
    if constexpr (std::is_integral_v<math::lane_of<T>>) return min(a, x);
    else return select((x < a) | (x != x), x, a);
  }
};

/// The size of an axis everywhere in the shape of x, of i32.
constexpr var size_like(var x, extent e) {
  if (e >= 0) return full_like(x, double(e));
  tensor_type const one{dtype::i32, 0, {}};
  return broadcast(tracing::emit(code<extent_size_p>, nullptr, 0, &e, 1, one, tracing::resolve(x).g), type_of(x),
                   nullptr);
}
/// The tangent of an extreme: that of the first element that is it. (Nothing is less than NaN, so then it is the first
/// of all, as in XLA.)
constexpr var first_of_ties(var t, eqn e, bool greatest) {
  tensor_type const x = e.type(0), index = x.with(dtype::i32);
  std::int64_t axes[max_rank]{};
  int const n = e.attr_count();
  for (int k = 0; k < n; ++k) axes[k] = e.attr(k);
  var all = broadcast_back(e.out(), x, axes, n), apart = greatest ? apply<lt_p>(e[0], all) : apply<lt_p>(all, e[0]);
  var place = full(t.g, index, 0);
  for (int k = 0; k < n; ++k) place = place * size_like(place, x.e[axes[k]]) + iota(t.g, index, int(axes[k]));
  var first = reduce<amin_p>(select(apart, full(t.g, index, std::numeric_limits<std::int32_t>::max()), place), axes, n);
  var chosen = eq(place, broadcast_back(first, index, axes, n));
  return sum(select(chosen, t, full_like(t, 0)), axes, n);
}
// Pools have this one: of equal elements one is enough, and zeros are often equal.
struct amax_first_p : amax_p {
  static constexpr auto name = "amax_first";
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return first_of_ties(t, e, true); }};
};
struct amin_first_p : amin_p {
  static constexpr auto name = "amin_first";
  static constexpr auto jvp = per_operand{[](var t, eqn e) { return first_of_ties(t, e, false); }};
};

struct all_p : reduction<accepts::boolean> {
  static constexpr auto name = "all";
  static constexpr auto jvp = absent{"bool has no derivative"};
  static constexpr auto transpose = absent{"bool has no derivative"};
  static constexpr auto reference = [](auto a, auto x) { return decltype(a)(a != 0 && x != 0); };
  template <class T> ETNA_FN static constexpr T identity() { return T(true); }
  template <class T> ETNA_FN static T lower(T a, T x) { return T(a & x); }
};

struct any_p : reduction<accepts::boolean> {
  static constexpr auto name = "any";
  static constexpr auto jvp = absent{"bool has no derivative"};
  static constexpr auto transpose = absent{"bool has no derivative"};
  static constexpr auto reference = [](auto a, auto x) { return decltype(a)(a != 0 || x != 0); };
  template <class T> ETNA_FN static constexpr T identity() { return T(false); }
  template <class T> ETNA_FN static T lower(T a, T x) { return T(a | x); }
};

/// Two results: the extreme along one axis, and the first index at which it stands.
struct arg_reduction : reduction<accepts::numbers> {
  static constexpr int results = 2;
  static constexpr bool needs_elements = true;
  static constexpr ops::form form = ops::form::arg_reduction;
  static constexpr int shape(tensor_type const* in, int n, std::int64_t const* a, int m, tensor_type* out) {
    int wrong = m == 1 ? reduction<accepts::numbers>::shape(in, n, a, m, out) : bad_axis;
    out[1] = out[0].with(dtype::i32);
    return wrong;
  }
  /// An index counts from the start of the axis, so that is not cut.
  static constexpr sharding_rule sharding(tensor_type const* in, int, std::int64_t const* axis, int) {
    sharding_rule r;
    for (int i = 0; i < in[0].rank; ++i)
      if (i != axis[0]) r.join(0, i, i - (i > axis[0]));
    for (int i = 0; i + 1 < in[0].rank; ++i) r.result[1].factor[i] = r.result[0].factor[i];
    return r;
  }
  static constexpr samples make_samples(interval from) {
    tensor_type x{dtype::f64, 3, {2, 3, 4}};
    return {3, {one_operand(x, from, {0}), one_operand(x, from, {2}), one_operand(x, from, {1})}};
  }
  /// The element's tangent; unlike amax's it goes to the first of equal elements alone.
  static constexpr void tangent(var const* t, eqn e, var* out) {
    int axis = int(e.attr(0)), r = e.type(0).rank;
    var moved = move_axis(t[0], axis, r - 1);
    tensor_type with_one = e.out_type(1).insert(r - 1, 1);
    out[0] = reshape(gather(moved, reshape(e.out(1), with_one), {r - 1, r - 1}), e.out_type(0));
  }
};

struct argmax_p : arg_reduction {
  static constexpr auto name = "argmax";
  static constexpr auto jvp = jointly{tangent};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto a, auto x) { return x > a || (x != x && a == a); };
  template <class T> ETNA_FN static constexpr T identity() { return amax_p::identity<T>(); }
  template <class T> ETNA_FN static auto wins(T const& a, T const& x) {
    return (!(x <= a)) & (a == a);
  }  // NaN wins, once
  template <class T> ETNA_FN static T better(T const& a, T const& x) {
    using math::max;
    return max(a, x);
  }  // of numbers
};

struct argmin_p : arg_reduction {
  static constexpr auto name = "argmin";
  static constexpr auto jvp = jointly{tangent};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto a, auto x) { return x < a || (x != x && a == a); };
  template <class T> ETNA_FN static constexpr T identity() { return amin_p::identity<T>(); }
  template <class T> ETNA_FN static auto wins(T const& a, T const& x) { return (!(x >= a)) & (a == a); }
  template <class T> ETNA_FN static T better(T const& a, T const& x) {
    using math::min;
    return min(a, x);
  }
};

}  // namespace etna::ops
