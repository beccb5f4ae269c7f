// SPDX-License-Identifier: BSD-3-Clause
// linalg and its neighbours against loops over numbers, and derivatives against differences.
#include "same.hpp"

using namespace test;

namespace {

/// a [n, n], row by row, times x.
std::vector<double> times(std::vector<double> const& a, std::vector<double> const& x) {
  std::size_t const n = x.size();
  std::vector<double> r(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) r[i] += a[i * n + j] * x[j];
  return r;
}
/// The determinant by its first row.
double determinant(std::vector<double> const& a, std::size_t n) {
  if (n == 1) return a[0];
  double sum = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<double> rest;
    for (std::size_t i = 1; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (j != k) rest.push_back(a[i * n + j]);
    sum += (k % 2 ? -1 : 1) * a[k] * determinant(rest, n - 1);
  }
  return sum;
}
/// f(x + h e_i) to each side.
template <class F, class A> void check_gradient(F f, A const& x, double tolerance) {
  auto const g = grad(f)(x);
  for (extent i = 0; i < A::type.size(); ++i) {
    auto at = [&](double h) {
      return double(f(A::build([&](double* out) {
                      std::copy_n(x.data(), A::type.size(), out);
                      out[i] += h;
                    })).data()[0]);
    };
    CAPTURE(i);
    CHECK(std::abs(g.data()[i] - (at(1e-5) - at(-1e-5)) / 2e-5) < tolerance);
  }
}

template <extent N> void check_size() {
  constexpr extent batch = 3;
  using stack_t = array<double, batch, N, N>;
  auto const a = some<stack_t>(int(N));
  auto const b = some<array<double, batch, N, 2>>(int(N) + 1);
  auto const all = [](stack_t a, array<double, batch, N, 2> b) {
    return std::tuple{linalg::solve(a, b), linalg::det(a), linalg::inv(a), linalg::slogdet(a)};
  };
  auto const [x, d, inverse, signed_log] = all(a, b);
  if constexpr (N == 2) as_eager(all, a, b);
  for (extent s = 0; s < batch; ++s) {
    std::vector<double> const m(a.data() + s * N * N, a.data() + (s + 1) * N * N);
    for (extent c = 0; c < 2; ++c) {
      std::vector<double> column(static_cast<std::size_t>(N));
      for (extent i = 0; i < N; ++i) column[std::size_t(i)] = x(s, i, c);
      auto const r = times(m, column);
      for (extent i = 0; i < N; ++i) CHECK(std::abs(r[std::size_t(i)] - b(s, i, c)) < 1e-10);
    }
    CHECK(std::abs(d(s) - determinant(m, std::size_t(N))) < 1e-12);
    CHECK(std::abs(signed_log.first(s) * std::exp(signed_log.second(s)) - d(s)) < 1e-12);
    for (extent i = 0; i < N; ++i) {
      std::vector<double> column(static_cast<std::size_t>(N));
      for (extent j = 0; j < N; ++j) column[std::size_t(j)] = inverse(s, j, i);
      auto const r = times(m, column);
      for (extent j = 0; j < N; ++j) CHECK(std::abs(r[std::size_t(j)] - double(i == j)) < 1e-9);
    }
  }
}

}  // namespace

TEST_CASE("solve, det, inv, slogdet of a batch") {
  check_size<1>();
  check_size<2>();
  check_size<5>();
}
TEST_CASE("pivots: zeros on the diagonal, ties, a singular matrix") {
  array<double, 3, 3> const a{{0, 2, 0}, {0, 0, 4}, {3, 0, 0}};
  CHECK(linalg::det(a)() == 24);
  auto const x = linalg::solve(a, array<double, 3>{2, 4, 6});
  CHECK((x(0) == 2 && x(1) == 1 && x(2) == 1));
  array<float, 2, 2> const singular{{1, 2}, {2, 4}};
  auto const [sign, magnitude] = linalg::slogdet(singular);
  CHECK((linalg::det(singular)() == 0 && sign() == 0 && magnitude() == -std::numeric_limits<float>::infinity()));
}
TEST_CASE("cholesky and triangular solutions") {
  auto const a = some<array<double, 40, 3, 3>>(1);
  auto f = [](array<double, 40, 3, 3> a, array<double, 3, 2> b) {
    auto const spd = matmul(a, swapaxes<-1, -2>(a)) + 0.5 * eye<double, 3>();
    auto const l = linalg::cholesky(spd);
    auto const y = linalg::solve_triangular<true>(l, b);
    return std::tuple{spd, l, linalg::solve_triangular(swapaxes<-1, -2>(l), y), linalg::solve(spd, b)};
  };
  auto const b = some<array<double, 3, 2>>(2);
  as_eager(f, a, b);
  auto const [spd, l, x, y] = f(a, b);
  near(x, y, 0, 1e-9);
  near(matmul(l, swapaxes<-1, -2>(l)), spd, 0, 1e-13);
  CHECK(l(3, 0, 2) == 0);
}
TEST_CASE("derivatives") {
  auto const a = some<array<double, 3, 3>>(5);
  check_gradient([](array<double, 3, 3> a) { return linalg::det(a); }, a, 1e-8);
  check_gradient([](array<double, 3, 3> a) { return sum(linalg::inv(a) * array<double, 3>{1, -2, 3}); }, a, 1e-4);
  check_gradient([](array<double, 3, 3> a) { return linalg::slogdet(a).second; }, a, 1e-6);
  check_gradient([](array<double, 3, 3> a) { return sum(linalg::cholesky(dot(a, transpose(a)) + eye<double, 3>())); },
                 a, 1e-8);
  check_gradient([](array<double, 3, 3> a) { return linalg::norm(cross(a, flip<0>(a))) + vdot(a, transpose(a)); }, a,
                 1e-8);
}
TEST_CASE("a batch of eliminations is written out in lanes") {
  using matrices = array<float, 300, 4, 4>;
  using vectors = array<float, 300, 4>;
  constexpr auto f = [](matrices a, vectors b) {
    return vmap([](array<float, 4, 4> a, array<float, 4> b) { return linalg::solve(a + 4.f * eye<float, 4>(), b); })(a,
                                                                                                                     b);
  };
  static_assert(compiler::program<decltype(f), matrices, vectors>::value.n_steps <= 3);
  near(jit(f)(some<matrices>(1), some<vectors>(2)), f(some<matrices>(1), some<vectors>(2)), 1e-5);
}
TEST_CASE("the length of integers whose squares they do not hold") {
  CHECK(linalg::norm(array<std::uint8_t, 2>{180, 240})() == doctest::Approx(300));
  CHECK(linalg::norm<0>(array<int, 2>{300000, 400000})() == doctest::Approx(500000));
  array<float, 2, 1> const rows = linalg::norm<1>(array<float, 2, 2>{{3, 4}, {5, 12}}, keepdims);
  CHECK(rows(0, 0) == doctest::Approx(5));
  CHECK(rows(1, 0) == doctest::Approx(13));
}
TEST_CASE("grids") {
  auto const both = [](array<float, 2> x, array<float, 3> y, array<float, 4> z) {
    return std::tuple{meshgrid(x, y), meshgrid<indexing::ij>(x, y), meshgrid(x, y, z), meshgrid(z)};
  };
  array<float, 2> const x{1, 2};
  array<float, 3> const y{3, 4, 5};
  array<float, 4> const z{6, 7, 8, 9};
  as_eager(both, x, y, z);
  auto const [xy, ij, three, one] = both(x, y, z);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) {
      CHECK((std::get<0>(xy)(j, i) == x(i) && std::get<1>(xy)(j, i) == y(j)));
      CHECK((std::get<0>(ij)(i, j) == x(i) && std::get<1>(ij)(i, j) == y(j)));
      for (int k = 0; k < 4; ++k)
        CHECK((std::get<0>(three)(j, i, k) == x(i) && std::get<1>(three)(j, i, k) == y(j) &&
               std::get<2>(three)(j, i, k) == z(k)));
    }
  CHECK(std::get<0>(one)(3) == 9);
}
TEST_CASE("cross, vdot, triangles, diagonals, kron") {
  auto const x = some<array<double, 5, 3>>(1), y = some<array<double, 5, 3>>(2);
  auto const c = cross(x, y);
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < 3; ++k) {
      int const p = (k + 1) % 3, q = (k + 2) % 3;
      CHECK(c(i, k) == doctest::Approx(x(i, p) * y(i, q) - x(i, q) * y(i, p)));
    }
  as_eager(
      [](array<double, 5, 3> x, array<double, 3> y) {
        return std::pair{cross(x, y), cross(y, x)};
      },
      x, some<array<double, 3>>(3));
  auto const all = [](array<int, 2, 3, 4> m, array<int, 3> v, array<int, 2, 2> k) {
    return std::tuple{tril(m), tril<-1>(m), triu(m), triu<1>(m), diag(v), diag(k), kron(k, slice<0>(m)), kron(v, v)};
  };
  auto const m = some<array<int, 2, 3, 4>>(4, 1, 9);
  array<int, 3> const v{1, 2, 3};
  array<int, 2, 2> const k{{1, 2}, {3, 4}};
  as_eager(all, m, v, k);
  auto const [lower, below, upper, above, matrix, diagonal, product, line] = all(m, v, k);
  for (int s = 0; s < 2; ++s)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 4; ++j) {
        CHECK(lower(s, i, j) == (j <= i ? m(s, i, j) : 0));
        CHECK(below(s, i, j) == (j <= i - 1 ? m(s, i, j) : 0));
        CHECK(upper(s, i, j) == (j >= i ? m(s, i, j) : 0));
        CHECK(above(s, i, j) == (j >= i + 1 ? m(s, i, j) : 0));
      }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      CHECK(matrix(i, j) == (i == j ? v(i) : 0));
      CHECK(line(3 * i + j) == v(i) * v(j));
    }
  CHECK((diagonal(0) == 1 && diagonal(1) == 4));
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 8; ++j) CHECK(product(i, j) == k(i / 3, j / 4) * m(0, i % 3, j % 4));
}
