// SPDX-License-Identifier: BSD-3-Clause
// Thin products with a large matrix are taken in two halves of its rows: which ones, and that they are right.
#include "same.hpp"

using namespace test;

namespace {

/// Batches of the first product of a plan: 2, where it is in halves.
template <class F, class... P> int batches(F, P const&...) {
  auto const& p = compiler::program<F, P...>::value;
  for (int s = 0; s < p.n_steps; ++s)
    if (planning::is<planning::product_step>(p.steps[s])) return int(p.steps[s].loop[0]);
  return 0;
}
template <class F, class... P> void runs(int want, F f, P const&... x) {
  CHECK(batches(f, x...) == want);
  near(jit(f)(x...), f(x...), 1e-4, 1e-12);
}

}  // namespace

TEST_CASE_TEMPLATE("rows of the matrix are summed", T, TEST_FLOATS) {
  using x_t = array<T, 9, 520>;
  using w_t = array<T, 520, 260>;
  auto x = some<x_t>(1);
  auto w = some<w_t>(2);
  runs(
      2, [](x_t x, w_t w) { return dot(x, w); }, x, w);
  runs(
      2, [](x_t x, w_t w) { return relu(dot(x, w) + T(0.5)); }, x, w);
  runs(
      2, [](x_t x, w_t w) { return dot(transpose(w), transpose(x)); }, x, w);
  runs(
      2, [](array<T, 3, 4, 520> x, w_t w) { return einsum<"abk,kn->nab">(x, w); }, some<array<T, 3, 4, 520>>(4), w);
  runs(
      2, [](array<T, 520, 2, 4> x, array<T, 520, 13, 20> w) { return einsum<"kab,kmn->bmna">(x, w); },
      some<array<T, 520, 2, 4>>(5), some<array<T, 520, 13, 20>>(6));
  // an operand that a kernel wrote
  runs(
      2, [](x_t x, w_t w) { return dot(tanh(x), sin(w)); }, x, w);
}
TEST_CASE("which are not") {
  using x_t = array<float, 9, 520>;
  auto x = some<x_t>(1);
  runs(
      1, [](x_t x, array<float, 260, 520> w) { return dot(x, transpose(w)); }, x,
      some<array<float, 260, 520>>(2));  // a row is one result's
  runs(
      1, [](x_t x, array<float, 520, 250> w) { return dot(x, w); }, x, some<array<float, 520, 250>>(2));  // small
  runs(
      1, [](array<float, 40, 520> x, array<float, 520, 260> w) { return dot(x, w); }, some<array<float, 40, 520>>(1),
      some<array<float, 520, 260>>(2));  // not thin
  runs(
      1, [](array<float, 9, 521> x, array<float, 521, 260> w) { return dot(x, w); }, some<array<float, 9, 521>>(1),
      some<array<float, 521, 260>>(2));  // an odd number of rows
  runs(
      1, [](array<float, 9, 220> x, array<float, 220, 700> w) { return dot(x, w); }, some<array<float, 9, 220>>(1),
      some<array<float, 220, 700>>(2));  // few rows
  runs(
      1, [](array<float, 2, 1100> x, array<float, 1100, 1000> w) { return dot(x, w); }, some<array<float, 2, 1100>>(1),
      some<array<float, 1100, 1000>>(2));  // larger than caches
  runs(
      1, [](array<int, 9, 520> x, array<int, 520, 260> w) { return dot(x, w); }, some<array<int, 9, 520>>(1, -9, 9),
      some<array<int, 520, 260>>(2, -9, 9));
  runs(
      0, [](array<float, 520> x, array<float, 520, 260> w) { return dot(x, w); }, some<array<float, 520>>(3),
      some<array<float, 520, 260>>(2));  // a vector's: a sum (thin.cpp)
  runs(
      0, [](array<double, 520> x, array<double, 520, 260> w) { return dot(x, w); }, some<array<double, 520>>(3),
      some<array<double, 520, 260>>(2));
  runs(
      2, [](array<float, 2, 9, 520> x, array<float, 2, 520, 260> w) { return matmul(x, w); },
      some<array<float, 2, 9, 520>>(1), some<array<float, 2, 520, 260>>(2));  // a batch of two as it is
}
TEST_CASE("a step of training: the gradient's product is whole, and runs with the update") {
  using w_t = array<double, 520, 260>;
  using x_t = array<double, 8, 520>;
  auto step = [](w_t w, x_t x) {
    return w - 0.1 * grad([](w_t w, x_t x) { return sum(square(tanh(dot(x, w)))); })(w, x);
  };
  auto w = some<w_t>(1);
  auto x = some<x_t>(2);
  runs(2, step, w, x);
  auto moved = w;
  CHECK(same_bits(jit(step)(w, x), jit(step)(w_t(std::move(moved)), x)));
}
