// SPDX-License-Identifier: BSD-3-Clause
// What a loop only adds up is no carry: it is summed behind the loop, products as one product. Other carries stay; the
// numbers stay the interpreter's, up to rounding.
#include <vector>

#include "same.hpp"

using namespace test;

namespace {

constexpr extent rounds = 7;
using table = array<double, rounds, 3>;
using row = array<double, 3>;
using number = array<double>;
using no_slices = std::tuple<>;

/// The carries of each loop, in the order of the plan.
template <class F, class... P> std::vector<int> carries(F const&, P const&...) {
  auto const& p = compiler::program<F, P...>::value;
  std::vector<int> n;
  for (int s = 0; s < p.n_steps; ++s)
    if (planning::is<planning::scan_step>(p.steps[s]))
      n.push_back(planning::scan_step::words(planning::plan(p), p.steps[s]).carry);
  return n;
}
template <class F, class... P> void runs(std::vector<int> const& n, F f, P const&... x) {
  CHECK(carries(f, x...) == n);
  near(jit(f)(x...), f(x...), 1e-5, 1e-12);
}
/// F of a carry and of each row.
template <class F> constexpr auto folded = [](table x) {
  return scan([](row s, row a) { return std::pair{row(F{}(s, a)), no_slices{}}; }, row{1, 2, 3}, x).first;
};
template <class F> void folds(int n, F) { runs({n}, folded<F>, some<table>(1)); }
/// The same of a row and a number.
using both = std::pair<row, number>;
template <class F> constexpr auto two = [](table x) {
  return scan(
             [](both s, row a) {
               return std::pair{both(F{}(s.first, s.second, a)), no_slices{}};
             },
             both{row{1, 2, 3}, number(4)}, x)
      .first;
};
template <class F> void folds_two(int n, F) { runs({n}, two<F>, some<table>(1)); }

/// A recurrent cell: the derivative by its weights adds up products.
template <extent B, extent H, extent T> struct cell {
  array<double, H, H> w;
  array<double, 4, H> u;
  array<double, H> b;
};
template <extent B, extent H, extent T>
constexpr auto loss = [](cell<B, H, T> const& c, array<double, T, B, 4> x, array<double, B, H> first) {
  using state = array<double, B, H>;
  auto step = [&](state h, array<double, B, 4> now) {
    return std::pair{state(tanh(dot(h, c.w) + dot(now, c.u) + c.b)), no_slices{}};
  };
  return sum(square(scan(step, first, x).first));
};
template <extent B, extent H, extent T> void learns(std::vector<int> const& n) {
  using p = cell<B, H, T>;
  p const c{some<array<double, H, H>>(1, -0.3, 0.3), some<array<double, 4, H>>(2), some<array<double, H>>(3)};
  runs(
      n, [](p c, array<double, T, B, 4> x, array<double, B, H> h) { return grad(loss<B, H, T>)(c, x, h); }, c,
      some<array<double, T, B, 4>>(4), some<array<double, B, H>>(5));
}

/// Sums of products of a batch, whose axes come in another order, beside a carry that stays.
constexpr auto batches = [](array<double, rounds, 5, 2, 3> x, array<double, rounds, 3, 5, 2> y) {
  using state = std::pair<array<double, 2, 3, 3>, number>;
  auto step = [](state s, std::pair<array<double, 5, 2, 3>, array<double, 3, 5, 2>> const& now) {
    auto const p = einsum<"bni,jbn->nij">(now.first, now.second);
    return std::pair{state{s.first + p, number(s.second * 0.5 + sum(now.first))}, no_slices{}};
  };
  return scan(step, state{ones<double, 2, 3, 3>(), number(2)}, std::pair{x, y}).first;
};

}  // namespace

TEST_CASE("a carry that is only added to") {
  folds(0, [](row s, row a) { return s + a * a; });
  folds(0, [](row s, row a) { return sin(a) + s; });
  folds(0, [](row s, row a) { return (a + s) + exp(a); });
  folds(0, [](row s, row a) { return cos(a) + (a + (s + 1.0)); });
}
TEST_CASE("what is more than added to stays") {
  folds(1, [](row s, row a) { return s - a; });
  folds(1, [](row s, row a) { return s * 0.5 + a; });
  folds(1, [](row s, row a) { return s + a * s; });
  folds(1, [](row s, row a) { return maximum(s + a, a); });
}
TEST_CASE("all carries, or none but products") {
  folds_two(0, [](row s, number n, row a) { return std::pair{row(s + a), number(n + sum(a))}; });
  folds_two(2, [](row s, number n, row a) { return std::pair{row(s * a), number(n + sum(a))}; });
  // each sum so far is a result
  runs(
      {1},
      [](table x) {
        return scan([](row s, row a) { return std::pair{row(s + a), s}; }, row{1, 2, 3}, x).second;
      },
      some<table>(1));
}
TEST_CASE("integers, and rounds that give something too") {
  using whole = array<int, 3>;
  runs(
      {0},
      [](array<int, rounds, 3> x) {
        return scan([](whole s, whole a) { return std::pair{whole(s + a), whole(a * 2)}; }, whole{1, 2, 3}, x);
      },
      full<int, rounds, 3>(7));
}
TEST_CASE("short products are one behind the loop") {
  learns<8, 16, 5>({1, 2});  // cotangents of the state and of the bias go on from round to round
  learns<1, 8, 6>({1, 2});
  learns<300, 4, 3>({1, 4});  // no short ones
}
TEST_CASE("a batch of products, moved") {
  runs({1}, batches, some<array<double, rounds, 5, 2, 3>>(1), some<array<double, rounds, 3, 5, 2>>(2));
}
TEST_CASE("what is added in each round is the same in all") {
  runs(
      {0},
      [](row c, table x) {
        return scan([=](row s, row a) { return std::pair{row(c + (s + a)), no_slices{}}; }, row{1, 2, 3}, x).first;
      },
      some<row>(1), some<table>(2));
  // a loop that does nothing else is none
  runs(
      {}, [](row c, row first) { return fori_loop<0, rounds>([=](auto, row s) { return s + c; }, first); },
      some<row>(1), some<row>(2));
}
TEST_CASE("narrow elements, and products of a precision, go on from round to round") {
  using narrow = array<bfloat16, 3>;
  runs(
      {1},
      [](array<bfloat16, rounds, 3> x) {
        return scan([](narrow s, narrow a) { return std::pair{narrow(s + a), no_slices{}}; }, narrow{1, 2, 3}, x).first;
      },
      some<array<bfloat16, rounds, 3>>(1));
}
