// SPDX-License-Identifier: BSD-3-Clause
// k-means: the sum over n points of the squared distance to the nearest of k centroids. Which one is nearest is found
// by a product, and has no derivative. The derivative is Newton's direction, the gradient by the diagonal of the
// Hessian, which has no other entries: one product of the Hessian with ones.
#include "work.hpp"

namespace gradbench {
namespace {

template <extent K, extent N, extent D> struct problem {
  using centroids = array<double, K, D>;
  using points = array<double, N, D>;
  static constexpr auto cost = [](centroids c, points p) {
    auto at = stop_gradient(c);
    auto nearest = argmin<1>(sum<1>(square(at)) - 2.0 * dot(p, transpose(at)));
    return sum(square(p - take(c, nearest)));
  };
  static constexpr auto direction = jit([](centroids c, points p) {
    auto slope = [&](centroids at) { return grad(cost)(at, p); };
    auto [g, diagonal] = jvp(slope, c, ones_like(c));
    return g / diagonal;
  });
};

[[gnu::noinline]] double by_hand(double const* points, double const* centroids, std::size_t n, std::size_t k,
                                 std::size_t d) {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double least = INFINITY;
    for (std::size_t j = 0; j < k; ++j) {
      double far = 0;
      for (std::size_t l = 0; l < d; ++l) {
        double off = points[i * d + l] - centroids[j * d + l];
        far += off * off;
      }
      least = std::min(least, far);
    }
    sum += least;
  }
  return sum;
}
// The gradient is 2 (size centroid - sum of its points), the diagonal 2 size.
std::vector<double> direction_by_hand(double const* points, double const* centroids, std::size_t n, std::size_t k,
                                      std::size_t d) {
  std::vector<double> sums(k * d), sizes(k);
  for (std::size_t i = 0; i < n; ++i) {
    double least = INFINITY;
    std::size_t nearest = 0;
    for (std::size_t j = 0; j < k; ++j) {
      double far = 0;
      for (std::size_t l = 0; l < d; ++l)
        far += (points[i * d + l] - centroids[j * d + l]) * (points[i * d + l] - centroids[j * d + l]);
      if (far < least) least = far, nearest = j;
    }
    sizes[nearest] += 1;
    for (std::size_t l = 0; l < d; ++l) sums[nearest * d + l] += points[i * d + l];
  }
  for (std::size_t j = 0; j < k * d; ++j) sums[j] = centroids[j] - sums[j] / sizes[j / d];
  return sums;
}

template <extent K, extent N, extent D> work make() {
  using P = problem<K, N, D>;
  auto p = uniform<typename P::points>(3);
  // the last points are the centroids, so none is empty
  auto c = P::centroids::build([&](double* out) { std::copy(p.data() + (N - K) * D, p.data() + N * D, out); });
  return {[=] {
            double r = by_hand(p.data(), c.data(), N, K, D);
            use(&r);
          },
          [=] { use_all(P::direction(c, p)); },
          [=] {
            return difference(P::direction(c, p).data(), direction_by_hand(p.data(), c.data(), N, K, D).data(), K * D);
          }};
}
template <extent K, extent N, extent D> entry size() {
  return {"kmeans", "k=" + std::to_string(K) + " n=" + std::to_string(N) + " d=" + std::to_string(D), 1.3, 1e-9,
          make<K, N, D>};
}

}  // namespace

std::vector<entry> kmeans() {
  return {size<10, 1000, 8>(),   size<10, 1000, 16>(),   size<10, 10000, 8>(),   size<10, 10000, 16>(),
          size<100, 1000, 8>(),  size<100, 1000, 16>(),  size<100, 10000, 8>(),  size<100, 10000, 16>(),
          size<1000, 1000, 8>(), size<1000, 1000, 16>(), size<1000, 10000, 8>(), size<1000, 10000, 16>()};
}

}  // namespace gradbench
