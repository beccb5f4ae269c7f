// SPDX-License-Identifier: BSD-3-Clause
// Runge and Kutta's fourth order for y[0]' = x[0], y[i]' = x[i] y[i - 1], from 0 to 2 in s steps. The derivative is the
// gradient of the last state by x. It is 0 at the published sizes, where a step moves only four states on; so the same
// program is also checked at a size where it is not.
#include "work.hpp"

namespace gradbench {
namespace {

template <extent N, extent S> constexpr auto solve = [](array<double, N> x) {
  constexpr double h = 2.0 / double(S);
  auto slope = [&](array<double, N> y) { return x * concatenate(ones<double, 1>(), slice<range{0, N - 1}>(y)); };
  auto step = [&](array<double, N> y) {
    auto a = slope(y), b = slope(y + h / 2 * a), c = slope(y + h / 2 * b), d = slope(y + h * c);
    return std::pair{array<double, N>(y + h / 6 * (a + 2.0 * b + 2.0 * c + d)), std::tuple<>{}};
  };
  return scan<S>(step, zeros<double, N>()).first;
};
template <extent N, extent S> constexpr auto gradient =
    jit(grad([](array<double, N> x) { return sum(slice<N - 1>(solve<N, S>(x))); }));

void slope(double const* x, double const* y, double* out, std::size_t n) {
  out[0] = x[0];
  for (std::size_t i = 1; i < n; ++i) out[i] = x[i] * y[i - 1];
}
[[gnu::noinline]] void by_hand(double const* x, double* y, std::size_t n, std::size_t steps) {
  double const h = 2.0 / double(steps);
  std::vector<double> a(n), b(n), c(n), d(n), z(n);
  std::fill(y, y + n, 0.0);
  for (std::size_t s = 0; s < steps; ++s) {
    slope(x, y, a.data(), n);
    for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + h * a[i] / 2;
    slope(x, z.data(), b.data(), n);
    for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + h * b[i] / 2;
    slope(x, z.data(), c.data(), n);
    for (std::size_t i = 0; i < n; ++i) z[i] = y[i] + h * c[i];
    slope(x, z.data(), d.data(), n);
    for (std::size_t i = 0; i < n; ++i) y[i] += h * (a[i] + 2 * b[i] + 2 * c[i] + d[i]) / 6;
  }
}

template <extent N, extent S> double error() {
  auto x = uniform<array<double, N>>(4);
  std::vector<double> at(x.data(), x.data() + N), y(N), want(N);
  for (std::size_t i = 0; i < N; ++i) {  // central differences
    double const h = 1e-4, here = at[i];
    for (double side : {1.0, -1.0}) {
      at[i] = here + side * h;
      by_hand(at.data(), y.data(), N, S);
      want[i] += side * y[N - 1] / (2 * h);
    }
    at[i] = here;
  }
  return difference(gradient<N, S>(x).data(), want.data(), N);
}

template <extent N, extent S> work make() {
  auto x = uniform<array<double, N>>(4);
  return {[x, y = std::vector<double>(N)]() mutable {
            by_hand(x.data(), y.data(), N, S);
            use(y.data());
          },
          [x] { use_all(gradient<N, S>(x)); },
          [x] {
            static_assert(N > 4 * S, "the gradient is 0 here");
            auto g = gradient<N, S>(x);
            return std::max(error<6, 10>(), double(std::count_if(g.begin(), g.end(), [](double v) { return v != 0; })));
          }};
}
template <extent N, extent S> entry size() {
  return {"ode", "n=" + std::to_string(N) + " s=" + std::to_string(S), 2.2, 1e-7, make<N, S>};
}

}  // namespace

std::vector<entry> ode() {
  return {size<1000, 1>(),    size<1000, 10>(),  size<1000, 100>(),  size<10000, 1>(),   size<10000, 10>(),
          size<10000, 100>(), size<100000, 1>(), size<100000, 10>(), size<100000, 100>()};
}

}  // namespace gradbench
