// SPDX-License-Identifier: BSD-3-Clause
// Rows: comparisons (their results are bool arrays), logic, and select.
#pragma once
#include "family.hpp"

namespace etna::ops {

struct eq_p : predicate {
  static constexpr auto name = "eq";
  static constexpr auto jvp = absent{"piecewise constant"};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto x, auto y) { return x == y; };
  template <class T> ETNA_FN static auto lower(T x, T y) { return x == y; }
};

struct ne_p : predicate {
  static constexpr auto name = "ne";
  static constexpr auto jvp = absent{"piecewise constant"};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto x, auto y) { return x != y; };
  template <class T> ETNA_FN static auto lower(T x, T y) { return x != y; }
};

struct lt_p : predicate {
  static constexpr auto name = "lt";
  static constexpr auto jvp = absent{"piecewise constant"};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto x, auto y) { return x < y; };
  template <class T> ETNA_FN static auto lower(T x, T y) { return x < y; }
};

struct le_p : predicate {
  static constexpr auto name = "le";
  static constexpr auto jvp = absent{"piecewise constant"};
  static constexpr auto transpose = absent{"not linear"};
  static constexpr auto reference = [](auto x, auto y) { return x <= y; };
  template <class T> ETNA_FN static auto lower(T x, T y) { return x <= y; }
};

struct logical_and_p : elementwise<2, accepts::boolean> {
  static constexpr auto name = "and";
  static constexpr auto jvp = absent{"bool has no derivative"};
  static constexpr auto transpose = absent{"bool has no derivative"};
  static constexpr auto reference = [](auto x, auto y) { return x != 0 && y != 0; };
  template <class T> ETNA_FN static T lower(T x, T y) { return T(x & y); }
};

struct logical_or_p : elementwise<2, accepts::boolean> {
  static constexpr auto name = "or";
  static constexpr auto jvp = absent{"bool has no derivative"};
  static constexpr auto transpose = absent{"bool has no derivative"};
  static constexpr auto reference = [](auto x, auto y) { return x != 0 || y != 0; };
  template <class T> ETNA_FN static T lower(T x, T y) { return T(x | y); }
};

struct logical_xor_p : elementwise<2, accepts::boolean> {
  static constexpr auto name = "xor";
  static constexpr auto jvp = absent{"bool has no derivative"};
  static constexpr auto transpose = absent{"bool has no derivative"};
  static constexpr auto reference = [](auto x, auto y) { return (x != 0) != (y != 0); };
  template <class T> ETNA_FN static T lower(T x, T y) { return T(x ^ y); }
};

struct logical_not_p : elementwise<1, accepts::boolean> {
  static constexpr auto name = "not";
  static constexpr auto jvp = absent{"bool has no derivative"};
  static constexpr auto transpose = absent{"bool has no derivative"};
  static constexpr auto reference = [](auto x) { return x == 0; };
  template <class T> ETNA_FN static T lower(T x) { return T(!x); }
};

struct select_p : elementwise<3, accepts::any> {
  static constexpr auto name = "select";
  static constexpr int moves = 3;
  static constexpr int shape(tensor_type const* in, int, std::int64_t const*, int, tensor_type* out) {
    if (in[0].d != dtype::boolean) return dtype_not_accepted;
    if (!(in[1] == in[2]) || !in[0].same_shape(in[1])) return shapes_differ;
    out[0] = in[1];
    return 0;
  }
  static constexpr samples make_samples(interval from) {
    tensor_type x{dtype::f64, 2, {3, 4}};
    return {1, {{3, {x.with(dtype::boolean), x, x}, {truth, from, from}}}};
  }
  static constexpr auto jvp = per_operand{zero, [](var t, eqn e) { return select(e[0], t, full_like(t, 0)); },
                                          [](var t, eqn e) { return select(e[0], full_like(t, 0), t); }};
  static constexpr auto transpose = per_operand{zero, [](var ct, eqn e) { return select(e[0], ct, full_like(ct, 0)); },
                                                [](var ct, eqn e) { return select(e[0], full_like(ct, 0), ct); }};
  static constexpr auto reference = [](auto p, auto x, auto y) { return p != 0 ? x : y; };
  template <class M, class T> ETNA_FN static T lower(M p, T x, T y) {
    using math::select;
    return select(p, x, y);
  }
};

}  // namespace etna::ops
