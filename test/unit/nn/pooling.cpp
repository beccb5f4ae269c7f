// SPDX-License-Identifier: BSD-3-Clause
// Pools and windows against JAX and Flax.
#include <etna/etna.hpp>

#include "../numpy/windowed.hpp"

using namespace etna;
using test::windowed::check;

namespace {

TEST_CASE("Pools are Flax's") {
  check<array<double, 2, 5, 4, 3>>("max_pool", [](auto x) { return max_pool<2, 2>(x); });
  check<array<double, 2, 5, 4, 3>>("max_pool_overlap",
                                   [](auto x) { return max_pool<3, 2>(x, window_strides<2, 1>, padding_same); });
  check<array<double, 1, 5, 4, 2>>("max_pool_dilated", [](auto x) {
    return max_pool<2, 2>(x, window_strides<1, 1>, padding<1, 0, 0, 1>, window_dilation<2, 1>);
  });
  check<array<double, 2, 7, 3>>("min_pool", [](auto x) { return min_pool<3>(x, window_strides<2>, padding<1, 1>); });
  check<array<double, 4, 5, 2>>("max_pool_ties", [](auto x) {
    return max_pool<2, 3>(floor(x), window_strides<1, 1>) + max_pool<2, 3>(x * 0, window_strides<1, 1>);
  });
  check<array<double, 2, 4, 6, 3>>("avg_pool", [](auto x) { return avg_pool<2, 2>(x); });
  check<array<double, 2, 5, 5, 3>>("avg_pool_same",
                                   [](auto x) { return avg_pool<3, 2>(x, window_strides<1, 2>, padding_same); });
  check<array<double, 2, 5, 5, 3>>(
      "avg_pool_counts", [](auto x) { return avg_pool<3, 2>(x, window_strides<1, 2>, padding_same, exclude_padding); });
  check<array<double, 1, 4, 3, 4, 2>>("avg_pool_3",
                                      [](auto x) { return avg_pool<2, 2, 2>(x, window_strides<2, 1, 2>); });
}

TEST_CASE("Windows are reduced by any function, as JAX does") {
  check<array<double, 4, 6>>("sum_window", [](auto x) {
    return reduce_window<2, 3>(
        x, 0, [](auto a, auto b) { return a + b; }, window_strides<1, 2>, padding<1, 0, 2, 1>, base_dilation<2, 1>,
        window_dilation<1, 2>);
  });
  check<array<double, 4, 5>>("product_window", [](auto x) {
    return reduce_window<2, 3>(
        x, 2, [](auto a, auto b) { return a * b; }, window_strides<2, 1>);
  });
  check<array<double, 2, 7>>("sliding", [](auto x) { return sliding_window_view<3>(x); });
}

TEST_CASE("A pool of integers, and of windows that lie in the padding, has what is there") {
  array<int, 1, 3, 1> const x{{{-5}, {2}, {-7}}};
  auto const f = [](auto const& a) { return max_pool<2>(a, window_strides<1>, padding<2, 0>); };
  auto const y = jit(f)(x);
  CHECK(y(0, 0, 0) == std::numeric_limits<int>::lowest());
  CHECK(y(0, 1, 0) == -5);
  CHECK(y(0, 3, 0) == 2);
  CHECK(test::same_bits(y, f(x)));
}

}  // namespace
