// SPDX-License-Identifier: BSD-3-Clause
// The kernel of products over sizes and strides, against plain loops: small integers, so that every order of sums is exact.
#include <doctest/doctest.h>

#include <cstdint>
#include <etna/lower/product.hpp>
#include <vector>

using namespace etna;

namespace {

template <class T> std::vector<T> integers(std::int64_t n, std::uint32_t seed) {
  std::vector<T> v(static_cast<std::size_t>(n));
  for (T& x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = T(seed >> 29);  // 0 to 7
  }
  return v;
}

// How many places of c differ from the plain loops, and whether all units in two shares give the same as in one.
template <class T> int wrong(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k, bool turned_a, bool turned_b) {
  auto a = integers<T>(batch * m * k, 1), b = integers<T>(batch * k * n, 2);
  std::vector<T> c(std::size_t(batch * m * n), T(99)), halves = c;
  using product = lower::product<T, T>;
  lower::product_numbers p{a.data(), b.data(), c.data(), batch, m, n, k, m * k, turned_a ? 1 : k, turned_a ? m : 1, k * n, turned_b ? 1 : n, turned_b ? k : 1};
  std::int64_t units = product::units(p);
  product::run(p, 0, units);
  p.c = halves.data();
  product::run(p, units / 2, units);
  product::run(p, 0, units / 2);
  int bad = 0;
  for (std::int64_t q = 0; q < batch; ++q)
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        T sum = 0;
        for (std::int64_t x = 0; x < k; ++x)
          sum = T(sum + a[std::size_t(q * p.a_batch + i * p.a_m + x * p.a_k)] * b[std::size_t(q * p.b_batch + x * p.b_k + j * p.b_n)]);
        std::size_t at = std::size_t((q * m + i) * n + j);
        bad += c[at] != sum || halves[at] != sum;
      }
  return bad;
}

template <class T> void sweep() {
  for (std::int64_t m : {1, 4, 5, 13, 16, 17, 130})
    for (std::int64_t n : {1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 50})
      for (std::int64_t k : {1, 3, 20})
        for (int turned = 0; turned < 4; ++turned) {
          CAPTURE(m);
          CAPTURE(n);
          CAPTURE(k);
          CAPTURE(turned);
          CHECK(wrong<T>(1, m, n, k, turned & 1, turned & 2) == 0);
        }
  CHECK(wrong<T>(3, 18, 34, 6, false, false) == 0);
  CHECK(wrong<T>(3, 130, 10, 6, true, true) == 0);
}

}  // namespace

TEST_CASE("products of f32 at all tails, transposed and not") { sweep<float>(); }
TEST_CASE("products of f64") { sweep<double>(); }
TEST_CASE("products of i32") { sweep<std::int32_t>(); }
