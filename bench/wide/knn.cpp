// SPDX-License-Identifier: BSD-3-Clause
// Soft nearest neighbours of 1,024 points among 2,048, by products and by differences; gradients by both.
#include "program.hpp"

namespace {

using namespace wide;
using points = array<float, 1024, 16>;
using others = array<float, 2048, 16>;
constexpr auto by_products = [](points x, others y) {
  auto d = expand_dims<1>(sum<1>(x * x)) + expand_dims<0>(sum<1>(y * y)) - 2.0f * dot(x, transpose(y));
  return -mean(logsumexp<1>(-d));
};
constexpr auto by_differences = [](points x, others y) {
  auto d = sum<-1>(square(expand_dims<1>(x) - expand_dims<0>(y)));
  return -mean(logsumexp<1>(-d));
};
constexpr auto f = jit([](points x, others y) { return grad<0, 1>(by_products)(x, y); });
constexpr auto g = jit([](points x, others y) { return grad<0, 1>(by_differences)(x, y); });
entry const e("knn", [](double seconds) { run_or_show(seconds, f, fill<points>(1), fill<others>(2)); });
entry const d("knn_diff", [](double seconds) { run_or_show(seconds, g, fill<points>(1), fill<others>(2)); });

}  // namespace
