// SPDX-License-Identifier: BSD-3-Clause
// Every row's sharding, against its evaluation: what lies in one part of a factor does not change another part of the
// result, and parts that are combined give the whole.
#include <numeric>

#include "rows.hpp"

namespace {

using rule_of_axes = ops::sharding_rule;

/// The axis of this factor, or -1.
int axis_of(rule_of_axes::axes const& a, int factor, int rank) {
  for (int i = 0; i < rank; ++i)
    if (a.factor[i] == factor) return i;
  return -1;
}
/// f(flat index, index along the axis).
template <class F> void along(tensor_type const& t, int axis, F f) {
  extent inner = 1;
  for (int i = axis + 1; i < t.rank; ++i) inner *= t.e[i];
  for (extent i = 0; i < t.size(); ++i) f(std::size_t(i), i / inner % t.e[axis]);
}
bool is_same(double a, double b) { return a == b || (a != a && b != b); }
tensor part_of(tensor const& t, int axis, extent from, extent to) {
  tensor r{t.type, {}};
  r.type.e[axis] = to - from;
  along(t.type, axis, [&](std::size_t i, extent at) {
    if (at >= from && at < to) r.x.push_back(t.x[i]);
  });
  return r;
}

/// Elements behind the middle of the factor are drawn anew: the result is the same in front of it. `pieces`: into so
/// many of equal size its axes can be cut.
void check_independent(subject const& what, rule_of_axes const& r, int factor, extent pieces, tensors const& in,
                       tensors const& other) {
  auto half = [&](extent n) { return n / pieces * (pieces / 2); };
  tensors const whole = evaluated(what, in);
  for (bool front : {true, false}) {
    tensors changed = in;
    for (std::size_t k = 0; k < in.size(); ++k)
      if (int axis = axis_of(r.operand[k], factor, in[k].type.rank); axis >= 0)
        along(in[k].type, axis, [&](std::size_t i, extent at) {
          if ((at < half(in[k].type.e[axis])) != front) changed[k].x[i] = other[k].x[i];
        });
    tensors const now = evaluated(what, changed);
    for (std::size_t k = 0; k < whole.size(); ++k) {
      int axis = axis_of(r.result[k], factor, whole[k].type.rank);
      REQUIRE(axis >= 0);
      bool same = true;
      along(whole[k].type, axis, [&](std::size_t i, extent at) {
        if ((at < half(whole[k].type.e[axis])) == front) same = same && is_same(now[k].x[i], whole[k].x[i]);
      });
      CHECK(same);
    }
  }
}
/// The two halves, combined.
void check_combined(subject const& what, rule_of_axes const& r, int factor, tensors const& in) {
  subject half[2]{what, what};
  tensor y[2];
  for (int part = 0; part < 2; ++part) {
    tensors cut = in;
    for (std::size_t k = 0; k < in.size(); ++k)
      if (int axis = axis_of(r.operand[k], factor, in[k].type.rank); axis >= 0) {
        extent n = in[k].type.e[axis];
        cut[k] = part_of(in[k], axis, part ? n / 2 : 0, part ? n : n / 2);
        half[part].s.type[k] = cut[k].type;
      }
    y[part] = evaluated(half[part], cut)[0];
  }
  if (what.row().combined_by == int(dist::reduction::sum) && what.row().form != ops::form::reduction)
    for (std::size_t i = 0; i < y[0].x.size(); ++i)
      y[0].x[i] += y[1].x[i] - (what.row().in_place ? in[0].x[i] : 0);  // which each part starts from
  else {
    REQUIRE(what.row().form == ops::form::reduction);
    tensor both = stacked({y[0], y[1]});
    y[0] = evaluated({what.op, ops::one_operand(both.type, {}, {0})}, {both})[0];
  }
  check_near(y[0], evaluated(what, in)[0]);
}

/// How many factors were tried: in a result, and combined.
struct tried {
  int kept = 0, combined = 0;
};
tried check_row(int op, source_of_numbers& random) {
  tried n;
  ops::samples const all = ops::domains.at[op]();
  for (int i = 0; i < all.n; ++i) {
    subject const what{op, all.s[i]};
    CAPTURE(i);
    drawn const a(what, random), b(what, random);
    rule_of_axes const r = what.row().sharding(what.s.type, what.s.n, what.s.attr, what.s.n_attr);
    tensors const out = evaluated(what, a.in);
    for (int f = 0; f < r.n; ++f) {
      CAPTURE(f);
      extent size = -1;
      auto agrees = [&](rule_of_axes::axes const& axes, tensor_type const& t) {
        int axis = axis_of(axes, f, t.rank);
        CHECK((axis < 0 || size < 0 || t.e[axis] == size || what.row().form == ops::form::reshape));
        if (axis >= 0) size = size < 0 ? t.e[axis] : std::gcd(size, t.e[axis]);
        return axis >= 0;
      };
      for (std::size_t k = 0; k < a.in.size(); ++k) agrees(r.operand[k], a.in[k].type);
      bool kept = false;
      for (std::size_t k = 0; k < out.size(); ++k) kept = agrees(r.result[k], out[k].type) || kept;
      REQUIRE(size >= 0);
      if (size < 2) continue;
      if (kept) check_independent(what, r, f, size, a.in, b.in), ++n.kept;
      else check_combined(what, r, f, a.in), ++n.combined;
    }
  }
  return n;
}

}  // namespace

TEST_CASE("every row that says how it divides: its parts are those of the whole") {
  std::printf("%-14s %5s %8s\n", "row", "kept", "combined");
  for (int op = 0; op < int(ops::table.size()); ++op) {
    if (!ops::table.at[op].sharding || ops::domains.at[op]().n == 0) continue;
    std::string const row = ops::table.at[op].name;
    CAPTURE(row);
    source_of_numbers random{1};
    tried const n = check_row(op, random);
    CHECK(n.kept + n.combined > 0);
    std::printf("%-14s %5d %8d\n", ops::table.at[op].name, n.kept, n.combined);
  }
}

TEST_CASE("the factors of a product are an einsum's letters") {
  // bij,bjk->bik
  ops::dot_dims d{1, 1, {0}, {0}, {2}, {1}};
  tensor_type const in[] = {{dtype::f32, 3, {5, 2, 3}}, {dtype::f32, 3, {5, 3, 4}}};
  std::int64_t a[4 * max_rank + 4]{};
  ops::sharding_rule const r = ops::dot_general_p::sharding(in, 2, a, d.write(a));
  CHECK(r.n == 4);
  auto factors = [](ops::sharding_rule::axes const& x) {
    return std::vector<int>{x.factor[0], x.factor[1], x.factor[2]};
  };
  CHECK(factors(r.operand[0]) == std::vector<int>{0, 1, 3});
  CHECK(factors(r.operand[1]) == std::vector<int>{0, 3, 2});
  CHECK(factors(r.result[0]) == std::vector<int>{0, 1, 2});
}
