// SPDX-License-Identifier: BSD-3-Clause
// point(f) inside kernels: the numbers are those of the eager evaluation, of differences and of jit.
#include <doctest/doctest.h>

#include <cmath>
#include <etna/etna.hpp>
#include <utility>
#include <vector>

#include "kokkos.hpp"

using namespace etna;

namespace {
using vec = array<double, 6>;
constexpr auto residual = [](vec u, array<double> k) {
  array<int, 6> next{1, 2, 3, 4, 5, 0};
  return exp(-k * u) * take(u, next) + where(u > 0.0, sqrt(u), 0.0) + sum(u * u) * tanh(u);
};
constexpr auto energy = [](vec u) {
  auto m = reshape<2, 3>(u);
  return sum(log(1.0 + square(dot(m, transpose(m))))) + max(u) * prod(u) + mean(maximum(u, 0.3)) + sum(min<0>(m));
};
template <class S, class A> bool near(S const& s, A const& a, double tolerance = 1e-13) {
  for (extent i = 0; i < a.size(); ++i) {
    double x = double(s[i]), y = double(a.data()[i]);
    if (std::isnan(x) != std::isnan(y) || std::fabs(x - y) > tolerance * (1 + std::fabs(y))) return false;
  }
  return true;
}
}  // namespace

TEST_CASE("values and derivatives are those of the eager evaluation") {
  vec u{0.3, -0.7, 1.1, 0.2, -0.4, 0.9};
  double x[6] = {0.3, -0.7, 1.1, 0.2, -0.4, 0.9};
  CHECK(near(point(residual)(x, 0.5), residual(u, 0.5)));
  CHECK(near(point(jacfwd(residual))(x, 0.5), jacfwd(residual)(u, 0.5)));
  CHECK(near(point(jacrev(residual))(x, 0.5), jacrev(residual)(u, 0.5)));
  CHECK(near(point(energy)(x), energy(u)));
  CHECK(near(point(grad(energy))(x), grad(energy)(u)));
  CHECK(near(point(hessian(energy))(x), hessian(energy)(u), 1e-12));
  auto [v, g] = point(value_and_grad(energy))(x);
  CHECK(near(v, energy(u)));
  CHECK(near(g, grad(energy)(u)));
  auto pushed = [](vec a, vec t) { return jvp(energy, std::tuple{a}, std::tuple{t}).second; };
  CHECK(near(point(pushed)(x, x), pushed(u, u)));
  auto mapped = [](array<double, 3, 2> m) { return vmap(grad([](auto r) { return sum(r * r * r); }))(m); };
  auto m = array<double, 3, 2>{{0.3, -0.7}, {1.1, 0.2}, {-0.4, 0.9}};
  CHECK(near(point(mapped)(x), mapped(m)));
}

TEST_CASE("the gradient is that of central differences") {
  double x[6] = {0.3, -0.7, 1.1, 0.2, -0.4, 0.9};
  auto value = point(energy);
  auto g = point(grad(energy))(x);
  for (int i = 0; i < 6; ++i) {
    double const h = 1e-5, at = x[i];
    x[i] = at + h;
    double up = value(x);
    x[i] = at - h;
    double down = value(x);
    x[i] = at;
    CHECK(g(i) == doctest::Approx((up - down) / (2 * h)).epsilon(1e-8));
  }
}

TEST_CASE("arguments of every kind give the same numbers") {
  constexpr auto f = [](array<double, 2, 3> m, array<double> k) { return sum<1>(m * m) * k; };
  constexpr auto p = point(f);
  double flat[6] = {1, 2, 3, 4, 5, 6}, nested[2][3] = {{1, 2, 3}, {4, 5, 6}};
  double const* pointer = flat;
  std::array<std::array<double, 3>, 2> standard{{{1, 2, 3}, {4, 5, 6}}};
  small<double, 2, 3> plain{{1, 2, 3, 4, 5, 6}};
  float narrow[2][3] = {{1, 2, 3}, {4, 5, 6}};
  auto strided = [&](int i, int j) { return nested[i][j]; };
  array<double, 2, 3> whole{{1, 2, 3}, {4, 5, 6}};
  small<double, 2> want{{7, 38.5}};
  auto is = [&](small<double, 2> r) { return r[0] == want[0] && r[1] == want[1]; };
  CHECK(is(p(flat, 0.5)));
  CHECK(is(p(nested, 0.5)));
  CHECK(is(p(pointer, 0.5)));
  CHECK(is(p(standard, 0.5)));
  CHECK(is(p(plain, small<double>{{0.5}})));
  CHECK(is(p(narrow, 0.5f)));
  CHECK(is(p(strided, 0.5)));
  CHECK(is(p(whole, 0.5)));
  // the types said where nothing tells them
  constexpr auto any = [](auto m) { return sum<0>(m); };
  CHECK(point<array<double, 2, 3>>(any)(pointer)(2) == 9);
}

namespace {
struct spring {
  array<double> stiffness;
  array<double, 2> rest;
};
}  // namespace
TEST_CASE("structs and tuples: arguments one by one, results in the tree of the function") {
  constexpr auto force = [](spring s, array<double, 2> x) {
    auto d = x - s.rest;
    return std::pair{s.stiffness * d, 0.5 * s.stiffness * sum(d * d)};
  };
  double rest[2] = {1, 2}, x[2] = {2, 4};
  auto [f, e] = point(force)(3.0, rest, x);
  CHECK(f(1) == 6);
  CHECK(e == 7.5);
  constexpr auto by_spring = [](spring s, array<double, 2> y) {
    return grad([](spring q, array<double, 2> z) {
      auto d = z - q.rest;
      return 0.5 * q.stiffness * sum(d * d);
    })(s, y);
  };
  auto g = point(by_spring)(3.0, rest, x);
  CHECK(g.get<&spring::stiffness>() == 2.5);
  CHECK(g.get<&spring::rest>()(1) == -6);
}

TEST_CASE("whole numbers, bools and indices that the call brings") {
  constexpr auto f = [](array<double, 4> x, array<int, 2> i) {
    auto at = argmax(x);
    return std::tuple{take(x, i), at, x > 0.5, take(grad([](auto y) { return sum(y * y); })(x), i),
                      astype<int>(x * 3.0)};
  };
  array<double, 4> x{0.1, 0.9, -0.4, 0.6};
  for (array<int, 2> i : {array<int, 2>{1, 3}, array<int, 2>{-1, 0}, array<int, 2>{7, 2}}) {
    auto r = point(f)(x, i);
    auto e = f(x, i);
    CHECK(near(std::get<0>(r), std::get<0>(e)));
    CHECK(std::get<1>(r) == 1);
    CHECK(near(std::get<2>(r), std::get<2>(e)));
    CHECK(near(std::get<3>(r), std::get<3>(e)));
    CHECK(near(std::get<4>(r), std::get<4>(e)));
  }
}

TEST_CASE("a branch that where does not take leaves no NaN, as elsewhere") {
  constexpr auto f = [](vec u) { return sum(where(u > 0.0, sqrt(u) + log(u), u * u * 1e200)); };
  double x[6] = {0.0, -1, 4, 0.0, 1, 1e200};
  vec u{0.0, -1, 4, 0.0, 1, 1e200};
  CHECK(near(point(grad(f))(x), grad(f)(u)));
}

TEST_CASE("a known zero costs nothing") {
  // each residual depends on two unknowns: no more than that is computed
  constexpr auto chain = [](vec u) { return u * take(u, array<int, 6>{1, 2, 3, 4, 5, 0}); };
  constexpr int value = point_of<decltype(chain), vec>::equations,
                jacobian = point_of<decltype(jacfwd(chain)), vec>::equations;
  CHECK(value == 12);
  CHECK(jacobian == 7);  // the unknowns and a zero
}

TEST_CASE("a Jacobian inside parallel_for") {
  test::with_kokkos();
  Kokkos::View<double* [6]> u("u", 1000);
  Kokkos::View<double* [6][6]> out("jacobians", 1000);
  for (int i = 0; i < 1000; ++i)
    for (int k = 0; k < 6; ++k) u(i, k) = std::sin(i * 0.1 + k);
  auto jacobian = point<vec, array<double>>(jacfwd(residual));
  Kokkos::parallel_for(
      Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 1000), KOKKOS_LAMBDA(int i) {
        auto j = jacobian(Kokkos::subview(u, i, Kokkos::ALL), 0.5);
        for (int k = 0; k < 6; ++k)
          for (int l = 0; l < 6; ++l) out(i, k, l) = j(k, l);
      });
  Kokkos::fence();
  for (int i : {0, 17, 999}) {
    auto x = vec::build([&](double* o) {
      for (int k = 0; k < 6; ++k) o[k] = u(i, k);
    });
    auto want = jacfwd(residual)(x, 0.5);
    for (int k = 0; k < 36; ++k) CHECK(out(i, k / 6, k % 6) == doctest::Approx(want.data()[k]).epsilon(1e-12));
  }
}
