// SPDX-License-Identifier: BSD-3-Clause
// Half the sum of squares of sign(t) - (x[0] + x[1] t + x[2] t^2 ...) over n points t from -1 to 1; x has 128 numbers.
// etna's program has the powers in two levels, t^(16 i + j), so that the polynomial is a matrix product. The derivative
// is the gradient by x.
#include "work.hpp"

namespace gradbench {
namespace {

constexpr int terms = 128;
using coefficients = array<double, terms>;

/// 1, t, t^2 ... as K rows, and t^K: twice as many each time.
template <int K, extent N> constexpr auto powers(array<double, N> const& t) {
  if constexpr (K == 1) return std::pair{ones<double, 1, N>(), t};
  else {
    auto [half, next] = powers<K / 2>(t);
    return std::pair{array<double, K, N>(concatenate<0>(half, half * next)), array<double, N>(square(next))};
  }
}
template <extent N> constexpr auto half_squares = [](coefficients x) {
  auto t = linspace<double, N>(-1, 1);
  auto [low, next] = powers<16>(t);
  auto high = powers<terms / 16>(next).first;
  return 0.5 * sum(square(sign(t) - sum<0>(high * dot(reshape<terms / 16, 16>(x), low))));
};
template <extent N> constexpr auto gradient = jit(grad(half_squares<N>));

double point(std::size_t i, std::size_t n) { return -1 + double(i) * 2 / double(n - 1); }
double sign_of(double t) { return double(t > 0) - double(t < 0); }

[[gnu::noinline]] double by_hand(double const* x, std::size_t n, std::size_t m) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double t = point(i, n), rest = sign_of(t), power = 1;
    for (std::size_t j = 0; j < m; ++j) {
      rest -= x[j] * power;
      power *= t;
    }
    sum += rest * rest;
  }
  return sum / 2;
}
std::vector<double> gradient_by_hand(double const* x, std::size_t n, std::size_t m) {
  std::vector<double> g(m);
  for (std::size_t i = 0; i < n; ++i) {
    double t = point(i, n), rest = sign_of(t), power = 1;
    for (std::size_t j = 0; j < m; ++j, power *= t) rest -= x[j] * power;
    power = 1;
    for (std::size_t j = 0; j < m; ++j, power *= t) g[j] -= rest * power;
  }
  return g;
}

template <extent N> work make() {
  auto x = uniform<coefficients>(2);
  return {[x] {
            double r = by_hand(x.data(), N, terms);
            use(&r);
          },
          [x] { use_all(gradient<N>(x)); },
          [x] { return difference(gradient<N>(x).data(), gradient_by_hand(x.data(), N, terms).data(), terms); }};
}
template <extent... N> std::vector<entry> sizes() {
  return {{"llsq", "n=" + std::to_string(N), 1.4, 1e-10, make<N>}...};
}

}  // namespace

std::vector<entry> llsq() { return sizes<16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8196, 16392>(); }

}  // namespace gradbench
