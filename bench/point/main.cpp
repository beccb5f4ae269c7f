// SPDX-License-Identifier: BSD-3-Clause
// A million cells in one Kokkos::parallel_for: 6x6 Jacobians and reverse gradients by point(), against the derivative
// written by hand. Prints milliseconds and their ratio. Run: bench_point [CELLS]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <etna/etna.hpp>

using namespace etna;
using cells = Kokkos::View<double* [6], Kokkos::LayoutRight, exec::host_space>;
using matrices = Kokkos::View<double* [6][6], Kokkos::LayoutRight, exec::host_space>;
using numbers = small<double, 6>;
using matrix = small<double, 6, 6>;

// Six species, six reactions of two each: mass action.
constexpr int from_a[6] = {0, 1, 2, 3, 4, 5}, from_b[6] = {1, 2, 3, 4, 5, 0}, into[6] = {2, 3, 4, 5, 0, 1};
constexpr double speed[6] = {0.9, 1.1, 0.7, 1.3, 0.5, 1.7};
struct kinetics {
  constexpr auto operator()(array<double, 6> u) const {
    array<int, 6> a{0, 1, 2, 3, 4, 5}, b{1, 2, 3, 4, 5, 0};
    array<double, 6> k{0.9, 1.1, 0.7, 1.3, 0.5, 1.7};
    array<double, 6, 6> change{{-1, -1, 1, 0, 0, 0}, {0, -1, -1, 1, 0, 0}, {0, 0, -1, -1, 1, 0},
                               {0, 0, 0, -1, -1, 1}, {1, 0, 0, 0, -1, -1}, {-1, 1, 0, 0, 0, -1}};
    return dot(k * take(u, a) * take(u, b), change);
  }
};
ETNA_FN_INLINE matrix kinetics_by_hand(numbers const& u) {
  matrix j{};
  for (int r = 0; r < 6; ++r) {
    double da = speed[r] * u[from_b[r]], db = speed[r] * u[from_a[r]];
    j(from_a[r], from_a[r]) -= da;
    j(from_a[r], from_b[r]) -= db;
    j(from_b[r], from_a[r]) -= da;
    j(from_b[r], from_b[r]) -= db;
    j(into[r], from_a[r]) += da;
    j(into[r], from_b[r]) += db;
  }
  return j;
}

// The neo-Hookean solid: strain (11, 22, 33, 2*23, 2*13, 2*12) to energy; its gradient is stress, the stress's Jacobian
// the tangent.
constexpr double mu = 0.8, lambda = 1.2;
struct metric {  // the six entries of C = 1 + 2 E, its determinant and its cofactors
  template <class T> struct parts {
    T det, a, b, c, d, e, f;
  };
  template <class T> static ETNA_FN_INLINE constexpr parts<T> of(T c11, T c22, T c33, T c23, T c13, T c12) {
    T a = c22 * c33 - c23 * c23, f = c13 * c23 - c12 * c33, e = c12 * c23 - c13 * c22;
    return {c11 * a + c12 * f + c13 * e, a, c11 * c33 - c13 * c13, c11 * c22 - c12 * c12, c12 * c13 - c11 * c23, e, f};
  }
};
constexpr auto entry(array<double, 6> const& x, int i) { return take(x, array<int>(i)); }
struct energy {
  constexpr auto operator()(array<double, 6> x) const {
    auto c11 = 1.0 + 2.0 * entry(x, 0), c22 = 1.0 + 2.0 * entry(x, 1), c33 = 1.0 + 2.0 * entry(x, 2);
    auto log_j = 0.5 * log(metric::of(c11, c22, c33, entry(x, 3), entry(x, 4), entry(x, 5)).det);
    return 0.5 * mu * (c11 + c22 + c33 - 3.0) - mu * log_j + 0.5 * lambda * log_j * log_j;
  }
};
struct solid {
  double inverse[6], log_j;
};
ETNA_FN_INLINE solid solve(numbers const& x) {
  auto p = metric::of(1 + 2 * x[0], 1 + 2 * x[1], 1 + 2 * x[2], x[3], x[4], x[5]);
  double r = 1 / p.det;
  return {{p.a * r, p.b * r, p.c * r, p.d * r, p.e * r, p.f * r}, 0.5 * std::log(p.det)};
}
ETNA_FN_INLINE numbers stress_by_hand(numbers const& x) {
  solid s = solve(x);
  double c = lambda * s.log_j - mu;
  numbers g;
  for (int i = 0; i < 6; ++i) g[i] = c * s.inverse[i] + (i < 3 ? mu : 0.0);
  return g;
}
// The same without the identity that the cofactors are the determinant's derivative: a reverse sweep, line by line.
ETNA_FN_INLINE numbers stress_line_by_line(numbers const& x) {
  double c11 = 1 + 2 * x[0], c22 = 1 + 2 * x[1], c33 = 1 + 2 * x[2], c23 = x[3], c13 = x[4], c12 = x[5];
  auto p = metric::of(c11, c22, c33, c23, c13, c12);
  double t = 0.5 * (lambda * 0.5 * std::log(p.det) - mu) / p.det;
  double da = t * c11, df = t * c12, de = t * c13;
  double d11 = t * p.a, d12 = t * p.f, d13 = t * p.e;
  double d22 = da * c33, d33 = da * c22, d23 = -2 * da * c23;
  d13 += df * c23, d23 += df * c13, d12 -= df * c33, d33 -= df * c12;
  d12 += de * c23, d23 += de * c12, d13 -= de * c22, d22 -= de * c13;
  return {{2 * (0.5 * mu + d11), 2 * (0.5 * mu + d22), 2 * (0.5 * mu + d33), d23, d13, d12}};
}
ETNA_FN_INLINE matrix tangent_by_hand(numbers const& x) {
  constexpr int first[6] = {0, 1, 2, 1, 0, 0}, second[6] = {0, 1, 2, 2, 2, 1},
                at[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
  solid s = solve(x);
  double c = mu - lambda * s.log_j;
  matrix t;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      int p = first[i], q = second[i], k = first[j], l = second[j];
      t(i, j) = lambda * s.inverse[i] * s.inverse[j] +
                c * (s.inverse[at[p][k]] * s.inverse[at[q][l]] + s.inverse[at[p][l]] * s.inverse[at[q][k]]);
    }
  return t;
}

// A small network with one output: 6 inputs, 6 hidden.
struct network {
  constexpr auto operator()(array<double, 6> x) const {
    array<double, 6, 6> w{{.3, -.2, .5, .1, .7, -.4}, {.2, .6, -.1, .3, -.5, .4}, {-.3, .1, .2, .8, .4, -.6},
                          {.5, .4, -.7, .2, .1, .3},  {-.1, .3, .6, -.4, .2, .5}, {.7, -.5, .3, .6, -.2, .1}};
    array<double, 6> v{.4, -.3, .8, .2, -.6, .5};
    return dot(tanh(dot(x, w)), v);
  }
};
constexpr double weight[6][6] = {{.3, -.2, .5, .1, .7, -.4}, {.2, .6, -.1, .3, -.5, .4}, {-.3, .1, .2, .8, .4, -.6},
                                 {.5, .4, -.7, .2, .1, .3},  {-.1, .3, .6, -.4, .2, .5}, {.7, -.5, .3, .6, -.2, .1}};
constexpr double last[6] = {.4, -.3, .8, .2, -.6, .5};
ETNA_FN_INLINE numbers network_by_hand(numbers const& x) {
  double z[6]{};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) z[j] += x[i] * weight[i][j];
  for (int j = 0; j < 6; ++j) {
    double t = std::tanh(z[j]);
    z[j] = last[j] * (1 - t * t);
  }
  numbers g{};
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) g[i] += weight[i][j] * z[j];
  return g;
}

template <class Out, class F> ETNA_NOINLINE void run(cells const& u, Out const& out, F f) {
  Kokkos::parallel_for(
      "point", Kokkos::RangePolicy<exec::host_space>(0, long(u.extent(0))), KOKKOS_LAMBDA(long i) {
        numbers x;
        for (int k = 0; k < 6; ++k) x[k] = u(i, k);
        auto const r = f(x);
        for (int k = 0; k < 6; ++k)
          if constexpr (Out::rank() == 2) out(i, k) = r(k);
          else
            for (int l = 0; l < 6; ++l) out(i, k, l) = r(k, l);
      });
}
template <class Call> double best(Call call) {
  double least = 1e9;
  for (int i = 0; i < 9; ++i) {
    auto begin = std::chrono::steady_clock::now();
    call();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() * 1e3);
  }
  return least;
}
template <class Out, class F, class H>
bool compare(char const* what, cells const& u, Out const& one, Out const& other, F etna_way, H by_hand) {
  run(u, one, etna_way);
  run(u, other, by_hand);
  double far = 0;
  for (std::size_t i = 0; i < one.span(); ++i)
    far = std::max(far, std::fabs(one.data()[i] - other.data()[i]) / (1 + std::fabs(other.data()[i])));
  double e = best([&] { run(u, one, etna_way); }), h = best([&] { run(u, other, by_hand); });
  std::printf("| %s | %.2f | %.2f | %.2f | %.1e |\n", what, e, h, e / h, far);
  return far < 1e-12;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);
  long n = argc > 1 ? std::atol(argv[1]) : 1000000;
  cells u("u", std::size_t(n)), g("g", std::size_t(n)), h("h", std::size_t(n));
  matrices j("j", std::size_t(n)), k("k", std::size_t(n));
  for (long i = 0; i < n; ++i)
    for (int c = 0; c < 6; ++c) u(i, c) = 0.1 * std::sin(double(i) * 0.37 + c);
  std::printf("| %ld cells, milliseconds | point | by hand | ratio | difference |\n|---|---:|---:|---:|---:|\n", n);
  bool good = compare("kinetics, Jacobian by jacfwd", u, j, k, point(jacfwd(kinetics{})),
                      [](numbers const& x) { return kinetics_by_hand(x); });
  good &= compare("kinetics, Jacobian by jacrev", u, j, k, point(jacrev(kinetics{})),
                  [](numbers const& x) { return kinetics_by_hand(x); });
  good &= compare("neo-Hookean tangent, jacfwd of grad", u, j, k, point(jacfwd(grad(energy{}))),
                  [](numbers const& x) { return tangent_by_hand(x); });
  good &= compare("neo-Hookean stress, reverse gradient", u, g, h, point(grad(energy{})),
                  [](numbers const& x) { return stress_by_hand(x); });
  good &= compare("the same, against a sweep line by line", u, g, h, point(grad(energy{})),
                  [](numbers const& x) { return stress_line_by_line(x); });
  good &= compare("network, reverse gradient", u, g, h, point(grad(network{})),
                  [](numbers const& x) { return network_by_hand(x); });
  return good ? 0 : 1;
}
