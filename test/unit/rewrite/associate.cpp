// SPDX-License-Identifier: BSD-3-Clause
// Products of products are taken apart where that saves half of the work, and nowhere else; the numbers stay those of
// the interpreter, which computes what is written.
#include "same.hpp"

using namespace test;

namespace {

using wide = array<double, 24, 20>;
using back = array<double, 20, 24>;
using vec = array<double, 24>;
using thin = array<double, 20, 2>;
using flat = array<double, 2, 30>;
auto const a = some<wide>(1), c = some<wide>(3);
auto const b = some<back>(2), d = some<back>(4);
auto const v = some<vec>(5);
auto const l = some<thin>(6);
auto const r = some<flat>(7);

/// The numbers are the interpreter's, and so many operations give them.
template <class F, class... A> void computes(extent flops, F, A const&... args) {
  as_eager(F{}, args...);
  CHECK(plan_of<F, A...>::flops == flops);
}
constexpr extent step = 2 * 24 * 20;  // one matrix with a vector

}  // namespace

TEST_CASE("a product of matrices and a vector") {
  computes(
      2 * step, [](wide a, back b, vec v) { return matmul(matmul(a, b), v); }, a, b, v);
  computes(
      2 * step, [](wide a, back b, vec v) { return matmul(v, matmul(a, b)); }, a, b, v);
  computes(
      2 * step, [](wide a, back b, vec v) { return matmul(transpose(matmul(a, b)), v); }, a, b, v);
  computes(
      2 * step, [](wide a, back b, vec v) { return matmul(v, transpose(matmul(a, b))); }, a, b, v);
  computes(
      4 * step, [](wide a, back b, wide c, back d, vec v) { return matmul(matmul(matmul(matmul(a, b), c), d), v); }, a,
      b, c, d, v);
  computes(
      4 * step, [](wide a, back b, wide c, back d, vec v) { return matmul(matmul(matmul(a, b), matmul(c, d)), v); }, a,
      b, c, d, v);
  computes(
      2 * step + 2 * 24, [](wide a, back b, vec v) { return dot(v, matmul(matmul(a, b), v)); }, a, b, v);
  computes(
      2 * step,
      [](array<float, 24, 20> a, array<float, 20, 24> b, array<float, 24> v) { return matmul(matmul(a, b), v); },
      some<array<float, 24, 20>>(1), some<array<float, 20, 24>>(2), some<array<float, 24>>(3));
  computes(
      2 * step, [](array<int, 24, 20> a, array<int, 20, 24> b, array<int, 24> v) { return matmul(matmul(a, b), v); },
      full<int, 24, 20>(3), full<int, 20, 24>(-7), full<int, 24>(11));
}
TEST_CASE("a product of low rank, on each side, turned, and its gradient") {
  constexpr extent terms = 24 * 20 * 2 + 24 * 2 * 30;
  computes(
      2 * terms, [](wide x, thin l, flat r) { return matmul(x, matmul(l, r)); }, a, l, r);
  computes(
      2 * terms, [](wide x, thin l, flat r) { return matmul(transpose(matmul(l, r)), transpose(x)); }, a, l, r);
  computes(
      2 * terms, [](wide x, thin l, flat r) { return transpose(matmul(x, matmul(l, r))); }, a, l, r);
  // x l, with r, and what is summed with r; of the cotangent the products with r, with x and with l, and of x l with it
  computes(
      2 * 3 * terms + 2 * 24 * 30,
      [](wide x, thin l, flat r) {
        return grad<0, 1, 2>([](wide x, thin l, flat r) { return sum(square(matmul(x, matmul(l, r)))) / 2; })(x, l, r);
      },
      a, l, r);
}
TEST_CASE("a Hessian with a vector") {
  computes(
      4 * step + 2 * 24,
      [](wide a, back b, vec v) {
        auto energy = [&](auto const& x) { return sum(square(matmul(matmul(a, b), x))) / 2; };
        return std::get<1>(jvp(grad(energy), std::tuple{v}, std::tuple{v}));
      },
      a, b, v);
}
TEST_CASE("letters in three operands") {
  using heads = array<double, 3, 40, 4>;
  auto q = some<heads>(1), k = some<heads>(2), x = some<heads>(3);
  constexpr extent linear = 2 * 2 * 3 * 40 * 4 * 4;
  computes(
      linear, [](heads q, heads k, heads x) { return einsum<"hie,hje,hjf->hif">(q, k, x); }, q, k, x);
  // turned at last: heads and their elements are written out, so that the first of 4 products is added to nothing
  computes(
      linear - 3 * 40 * 4, [](heads q, heads k, heads x) { return einsum<"hjf,hje,hie->fih">(x, k, q); }, q, k, x);
  computes(
      linear,
      [](heads q, heads k, heads x) {
        return vmap([](array<double, 40, 4> q, array<double, 40, 4> k, array<double, 40, 4> x) {
          return matmul(matmul(q, transpose(k)), x);
        })(q, k, x);
      },
      q, k, x);
  computes(
      linear / 4, [](heads q, heads k, array<double, 3, 40> x) { return einsum<"hie,hje,hj->hi">(q, k, x); }, q, k,
      some<array<double, 3, 40>>(5));
  computes(
      linear / 4, [](heads q, heads k, array<double, 3, 40> x) { return einsum<"hie,hje,hj->i">(q, k, x); }, q, k,
      some<array<double, 3, 40>>(5));
}
TEST_CASE("what stays") {
  constexpr extent square_ab = 2 * 24 * 20 * 24, with_v = 2 * 24 * 24;
  computes(
      square_ab + with_v,
      [](wide a, back b, vec v) {
        auto ab = matmul(a, b);
        return std::pair{ab, matmul(ab, v)};
      },
      a, b, v);
  computes(
      square_ab + with_v + 2 * 24 * 24, [](wide a, back b, vec v) { return matmul(relu(matmul(a, b)), v); }, a, b, v);
  // a sum reads it too
  computes(
      square_ab + with_v + 24 * 24,
      [](wide a, back b, vec v) {
        auto ab = matmul(a, b);
        return std::pair{sum(transpose(ab)), matmul(ab, v)};
      },
      a, b, v);
  computes(
      square_ab + 2 * 24 * 24 * 24,
      [](wide a, back b) {
        auto ab = matmul(a, b);
        return matmul(ab, ab);
      },
      a, b);
  // a third of the work is too little
  computes(
      2 * (24 * 20 * 24 + 24 * 24 * 20), [](wide a, back b, wide c) { return matmul(matmul(a, b), c); }, a, b, c);
  computes(
      square_ab + with_v, [](wide a, back b, array<float, 24> v) { return matmul(astype<float>(matmul(a, b)), v); }, a,
      b, some<array<float, 24>>(1));
}
TEST_CASE("products of nothing") {
  using none = array<double, 0, 3>;
  computes(
      0, [](none a, array<double, 3, 3> b, array<double, 3> v) { return matmul(matmul(a, b), v); }, none{},
      some<array<double, 3, 3>>(1), some<array<double, 3>>(2));
}
TEST_CASE("many readers: all of them or none") {
  // two vectors: 4 steps for 24 of the matrix and 1.2 for each vector
  computes(
      4 * step,
      [](wide a, back b, vec v, vec w) {
        auto ab = matmul(a, b);
        return std::pair{matmul(ab, v), matmul(w, ab)};
      },
      a, b, v, some<vec>(8));
  // for 24 vectors the matrix is about as much work
  using many = array<double, 24, 8>;
  auto three = [](wide a, back b, many x, many y, many z) {
    auto ab = matmul(a, b);
    return std::tuple{matmul(ab, x), matmul(ab, y), matmul(ab, z)};
  };
  computes(2 * 24 * 24 * (20 + 24), three, a, b, some<many>(1), some<many>(2), some<many>(3));
}
TEST_CASE("in loops, and where extents have names") {
  auto powers = [](wide a, back b, vec v) {
    return fori_loop<0, 5>([=](auto const&, auto const& x) { return matmul(matmul(a, b), x) / 8; }, v);
  };
  computes(5 * (2 * step + 24), powers, a, b, v);
  auto named = [](array<double, "n"_n, 20> a, array<double, 20, "n"_n> b, array<double, "n"_n> v) {
    return matmul(matmul(a, b), v);
  };
  near(jit(named)(some<array<double, "n"_n, 20>>(1, {24, 20}), some<array<double, 20, "n"_n>>(2, {20, 24}),
                  some<array<double, "n"_n>>(5, std::array<extent, 1>{24})),
       matmul(matmul(a, b), v));
}
