// SPDX-License-Identifier: BSD-3-Clause
// Products with a vector, and of two vectors, are sums of a fused kernel: which ones, and that they are right. Sums of
// columns and of rows, of all lengths about those of the registers that run side by side.
#include "same.hpp"

using namespace test;

namespace {

/// Steps of a plan that are products, and all its steps.
template <class F, class... P> std::pair<int, int> steps(F, P const&...) {
  auto const& p = compiler::program<F, P...>::value;
  int products = 0;
  for (int s = 0; s < p.n_steps; ++s) products += planning::is<planning::product_step>(p.steps[s]);
  return {products, p.n_steps};
}
template <class F, class... P> void runs(std::pair<int, int> want, F f, P const&... x) {
  CHECK(steps(f, x...) == want);
  near(jit(f)(x...), f(x...), 1e-4, 1e-12);
}
constexpr std::pair one_sum{0, 1}, one_product{1, 1};

}  // namespace

TEST_CASE_TEMPLATE("a matrix and a vector", T, TEST_FLOATS) {
  using a_t = array<T, 37, 150>;
  auto a = some<a_t>(1);
  auto x = some<array<T, 150>>(2);
  auto y = some<array<T, 37>>(3);
  runs(
      one_sum, [](auto a, auto x) { return dot(a, x); }, a, x);
  runs(
      one_sum, [](auto a, auto y) { return dot(y, a); }, a, y);
  runs(
      one_sum, [](auto a, auto y) { return dot(transpose(a), y); }, a, y);
  runs(
      one_sum, [](auto a, auto x) { return dot(x, transpose(a)); }, a, x);
  runs(
      one_sum, [](auto a, auto x) { return relu(dot(a, x) + T(0.25)); }, a, x);
  // the other axis has one element, or several have
  runs(
      one_sum, [](auto a, array<T, 150, 1> x) { return dot(a, x); }, a, some<array<T, 150, 1>>(4));
  runs(
      one_sum, [](auto a, array<T, 1, 37> y) { return dot(y, a); }, a, some<array<T, 1, 37>>(4));
  runs(
      one_sum, [](auto a, array<T, 1, 1, 37> y) { return einsum<"pqk,kn->pqn">(y, a); }, a,
      some<array<T, 1, 1, 37>>(4));
  runs(
      one_sum, [](auto a, array<T, 1, 37, 1> y) { return einsum<"pkq,kn->pnq">(y, a); }, a,
      some<array<T, 1, 37, 1>>(4));
  // the vector is computed once, the matrix where it is read
  runs(
      {0, 2}, [](auto a, auto x) { return dot(sin(a), tanh(x)); }, a, x);
}
TEST_CASE_TEMPLATE("two vectors, and batches of them", T, TEST_FLOATS) {
  using a_t = array<T, 6, 9, 70>;
  auto a = some<a_t>(1);
  auto b = some<a_t>(2);
  runs(
      one_sum, [](auto a, auto b) { return einsum<"bij,bij->">(a, b); }, a, b);
  runs(
      one_sum, [](auto a, auto b) { return einsum<"bij,bij->b">(a, b); }, a, b);
  runs(
      one_sum, [](auto a, auto b) { return einsum<"bij,bij->ij">(a, b); }, a, b);
  runs(
      one_sum, [](auto a, auto b) { return einsum<"bij,bij->bi">(a, b); }, a, b);
  runs(
      one_sum, [](auto a, auto b) { return einsum<"bij,bij->bj">(a, b); }, a, b);
  runs(
      one_sum, [](auto a, auto b) { return dot(sin(ravel(a)), ravel(b)); }, a, b);
  runs(
      one_sum, [](array<T, 40, 3> a, array<T, 40, 3> b) { return einsum<"bi,bi->b">(a, b); }, some<array<T, 40, 3>>(1),
      some<array<T, 40, 3>>(2));
  runs(
      one_sum, [](array<T, 40, 3> a, array<T, 40, 3> b) { return einsum<"bi,bi->i">(a, b); }, some<array<T, 40, 3>>(1),
      some<array<T, 40, 3>>(2));
  // a vector for each matrix of a batch, its axes in other orders
  runs(
      one_sum, [](auto a, array<T, 6, 70> x) { return einsum<"bij,bj->bi">(a, x); }, a, some<array<T, 6, 70>>(3));
  runs(
      one_sum, [](auto a, array<T, 70, 6> x) { return einsum<"jb,bij->bi">(x, a); }, a, some<array<T, 70, 6>>(3));
  runs(
      one_sum, [](auto a, array<T, 9, 6> x) { return einsum<"bij,ib->bj">(a, x); }, a, some<array<T, 9, 6>>(3));
  runs(
      one_sum, [](auto a, array<T, 9> x) { return einsum<"bij,i->bj">(a, x); }, a, some<array<T, 9>>(3));
  near(jit([](auto a, auto x) { return einsum<"bij,bj->ib">(a, x); })(a, some<array<T, 6, 70>>(3)),
       einsum<"bij,bj->ib">(a, some<array<T, 6, 70>>(3)), 1e-4, 1e-12);
  near(jit([](auto a, array<T, 70, 6> x) { return einsum<"bij,jb->ib">(a, x); })(a, some<array<T, 70, 6>>(3)),
       einsum<"bij,jb->ib">(a, some<array<T, 70, 6>>(3)), 1e-4, 1e-12);
}
TEST_CASE_TEMPLATE("products without sums", T, TEST_FLOATS) {
  using a_t = array<T, 37>;
  using b_t = array<T, 50>;
  auto a = some<a_t>(1);
  auto b = some<b_t>(2);
  runs(
      one_sum, [](a_t a, b_t b) { return outer(a, b); }, a, b);
  runs(
      one_sum, [](a_t a, b_t b) { return tanh(einsum<"i,j->ij">(a, b) + b); }, a, b);
  runs(
      one_sum, [](array<T, 37, 50> w, a_t a, b_t b) { return w - T(0.1) * einsum<"i,j->ij">(a, b); },
      some<array<T, 37, 50>>(3), a, b);
  runs(
      one_sum, [](array<T, 37, 1> a, array<T, 1, 50> b) { return dot(a, b); }, some<array<T, 37, 1>>(4),
      some<array<T, 1, 50>>(5));
  runs(
      one_sum, [](array<T, 1, 37> a, array<T, 1, 50> b) { return dot(transpose(a), b); }, some<array<T, 1, 37>>(4),
      some<array<T, 1, 50>>(5));
  // batches, and axes in other orders
  runs(
      one_sum, [](array<T, 6, 37> a, array<T, 6, 50> b) { return einsum<"bi,bj->bij">(a, b); },
      some<array<T, 6, 37>>(4), some<array<T, 6, 50>>(5));
  runs(
      one_sum, [](array<T, 37, 6> a, array<T, 6, 1, 50> b) { return einsum<"ib,bkj->bikj">(a, b); },
      some<array<T, 37, 6>>(4), some<array<T, 6, 1, 50>>(5));
  runs(
      one_sum, [](array<T, 4, 1, 6> a, array<T, 6, 1, 50> b) { return einsum<"ikb,bkj->bij">(a, b); },
      some<array<T, 4, 1, 6>>(4), some<array<T, 6, 1, 50>>(5));
  near(jit([](array<T, 5, 6> a, array<T, 7, 50> b) { return einsum<"pq,rj->qjrp">(a, b); })(some<array<T, 5, 6>>(4),
                                                                                            some<array<T, 7, 50>>(5)),
       einsum<"pq,rj->qjrp">(some<array<T, 5, 6>>(4), some<array<T, 7, 50>>(5)));
  // the gradient of a layer by each example
  auto each = [](auto const& w, auto const& x) {
    return vmap<none, 0>(grad<0>([](array<T, 50, 37> w, array<T, 50> x) { return sum(square(tanh(dot(x, w)))); }))(w,
                                                                                                                   x);
  };
  auto w = some<array<T, 50, 37>>(6);
  auto x = some<array<T, 8, 50>>(7);
  near(jit(each)(w, x), each(w, x), 1e-5, 1e-13);
  // few numbers, and others than floats
  runs(
      one_product, [](array<T, 5> a, array<T, 7> b) { return einsum<"i,j->ij">(a, b); }, some<array<T, 5>>(1),
      some<array<T, 7>>(2));
  runs(
      one_sum, [](array<int, 37> a, array<int, 50> b) { return einsum<"i,j->ij">(a, b); },
      some<array<int, 37>>(1, -99, 99), some<array<int, 50>>(2, -99, 99));
}
TEST_CASE("gradients, maps, and names") {
  using a_t = array<double, 37, 150>;
  auto a = some<a_t>(1);
  auto x = some<array<double, 150>>(2);
  auto loss = [](auto const& a, auto const& x) { return sum(square(tanh(dot(a, x)))) + dot(x, x); };
  near(jit(grad<0, 1>(loss))(a, x), grad<0, 1>(loss)(a, x), 1e-12, 1e-12);
  auto rows = some<array<double, 5, 150>>(3);
  auto mapped = vmap<none, 0>(loss);
  near(jit(mapped)(a, rows), mapped(a, rows), 1e-12, 1e-12);
  array<double, "n"_n, 150> named = a;
  runs(
      one_sum, [](auto a, auto x) { return dot(a, x); }, named, x);
  array<double, "n"_n> any = x;
  runs(
      one_sum, [](auto x) { return dot(x, x); }, any);
}
TEST_CASE("narrow matrices: rows of every length, columns of every number") {
  auto check = []<extent N>(std::integral_constant<extent, N>) {
    auto const a = some<array<float, 203, N>>(1);
    auto const x = some<array<float, N>>(2);
    auto const y = some<array<float, 203>>(3);
    runs(
        one_sum, [](array<float, 203, N> a, array<float, N> x) { return dot(a, x); }, a, x);
    runs(
        one_sum, [](array<float, 203> y, array<float, 203, N> a) { return dot(y, a); }, y, a);
  };
  check(std::integral_constant<extent, 8>{});
  check(std::integral_constant<extent, 13>{});
  check(std::integral_constant<extent, 20>{});
}
TEST_CASE("products that stay products") {
  runs(
      one_product, [](array<float, 30, 30> a, array<float, 30> x) { return dot(a, x); }, some<array<float, 30, 30>>(1),
      some<array<float, 30>>(2));  // small
  runs(
      one_product, [](array<float, 900, 3> a, array<float, 3> x) { return dot(a, x); }, some<array<float, 900, 3>>(1),
      some<array<float, 3>>(2));  // short rows
  runs(
      one_product, [](array<float, 900> x, array<float, 900, 3> a) { return dot(x, a); }, some<array<float, 900>>(1),
      some<array<float, 900, 3>>(2));  // few columns
  runs(
      one_product, [](array<float, 37, 150> a, array<float, 150, 2> x) { return dot(a, x); },
      some<array<float, 37, 150>>(1), some<array<float, 150, 2>>(2));
  runs(
      one_product, [](array<int, 37, 150> a, array<int, 150> x) { return dot(a, x); },
      some<array<int, 37, 150>>(1, -9, 9), some<array<int, 150>>(2, -9, 9));
  runs(
      one_product, [](array<float, 5> x, array<float, 5> y) { return dot(x, y); }, some<array<float, 5>>(1),
      some<array<float, 5>>(2));
}

namespace {

// whole numbers, so that sums have no rounding
template <class T, extent Rows, extent Columns> void sums_of() {
  using a_t = array<T, Rows, Columns>;
  auto a = a_t::build([](T* out) {
    for (extent i = 0; i < Rows * Columns; ++i) out[i] = T(i * 37 % 101 - 50);
  });
  auto [rows, squares, columns, most, both] = jit([](a_t a) {
    return std::tuple{sum<1>(a), sum<1>(a * a), sum<0>(a), max<0>(a), std::pair{sum<0>(a * 2), min<0>(a)}};
  })(a);
  for (extent i = 0; i < Rows; ++i) {
    T s = 0, q = 0;
    for (extent j = 0; j < Columns; ++j) s += a(i, j), q += a(i, j) * a(i, j);
    CHECK(rows(i) == s);
    CHECK(squares(i) == q);
  }
  for (extent j = 0; j < Columns; ++j) {
    T s = 0, least = a(0, j), largest = a(0, j);
    for (extent i = 0; i < Rows; ++i)
      s += a(i, j), least = std::min<T>(least, a(i, j)), largest = std::max<T>(largest, a(i, j));
    CHECK(columns(j) == s);
    CHECK(most(j) == largest);
    CHECK(both.first(j) == 2 * s);
    CHECK(both.second(j) == least);
  }
}

}  // namespace

TEST_CASE("sums of rows and columns of any length") {
  sums_of<float, 3, 1>();
  sums_of<float, 5, 31>();
  sums_of<float, 131, 33>();
  sums_of<float, 7, 64>();
  sums_of<float, 300, 65>();
  sums_of<float, 2, 127>();
  sums_of<float, 3, 300>();
  sums_of<float, 2, 9001>();
  sums_of<double, 131, 35>();
  sums_of<double, 4, 271>();
}
