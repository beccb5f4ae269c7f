// SPDX-License-Identifier: BSD-3-Clause
// log-sum-exp of n numbers, with the greatest taken out first. The derivative is the gradient; what goes through the
// greatest cancels up to the rounding of a sum that is 1, beside elements of about 1 / n, hence the tolerance.
#include "work.hpp"

namespace gradbench {
namespace {

template <extent N> constexpr auto log_sum_exp = [](array<double, N> x) {
  auto most = max(x);
  return most + log(sum(exp(x - most)));
};
template <extent N> constexpr auto gradient = jit(grad(log_sum_exp<N>));

[[gnu::noinline]] double by_hand(double const* x, std::size_t n) {
  double most = x[0], sum = 0;
  for (std::size_t i = 1; i < n; ++i) most = std::max(most, x[i]);
  for (std::size_t i = 0; i < n; ++i) sum += std::exp(x[i] - most);
  return most + std::log(sum);
}

template <extent N> work make() {
  auto x = uniform<array<double, N>>(1);
  return {[x] {
            double r = by_hand(x.data(), N);
            use(&r);
          },
          [x] { use_all(gradient<N>(x)); },
          [x] {  // the softmax
            auto g = gradient<N>(x);
            long double sum = 0;
            for (extent i = 0; i < N; ++i) sum += std::exp((long double)x.data()[i]);
            std::vector<double> want(N);
            for (std::size_t i = 0; i < N; ++i) want[i] = double(std::exp((long double)x.data()[i]) / sum);
            return difference(g.data(), want.data(), N);
          }};
}
template <extent... N> std::vector<entry> sizes() { return {{"lse", "n=" + std::to_string(N), 1.1, 1e-9, make<N>}...}; }

}  // namespace

std::vector<entry> lse() { return sizes<2500, 5000, 10000, 20000, 40000, 80000, 160000, 320000, 640000, 1280000>(); }

}  // namespace gradbench
