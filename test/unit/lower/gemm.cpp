// SPDX-License-Identifier: BSD-3-Clause
// The kernel of products over sizes and strides, against plain loops: small integers, so that every order of sums is
// exact.
#include <etna/lower/gemm.hpp>

#include "products.hpp"

using namespace etna;
using test::integers;

namespace {

// How many places of c differ from the plain loops, and whether all units in three shares give the same as in one. With
// `apart` 2 the operands are every second element of what lies there. Once more, times 3 and added to what is there.
template <class T> int wrong(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k, bool turned_a,
                             bool turned_b, std::int64_t apart = 1) {
  auto a = integers<T>(apart * batch * m * k, 1), b = integers<T>(apart * batch * k * n, 2);
  std::vector<T> c(std::size_t(batch * m * n), T(99)), halves = c, sum(c.size(), T(0));
  using product = lower::gemm<T, T>;
  lower::gemm_numbers p{a.data(),
                        b.data(),
                        c.data(),
                        batch,
                        m,
                        n,
                        k,
                        apart * m * k,
                        apart * (turned_a ? 1 : k),
                        apart * (turned_a ? m : 1),
                        apart * k * n,
                        apart * (turned_b ? 1 : n),
                        apart * (turned_b ? k : 1)};
  std::int64_t units = product::units(p);
  product::run(p, 0, units);
  p.c = halves.data();
  lower::prefetch_list ahead;  // of what comes next: whatever it is, the results are the same
  ahead.add(b.data(), std::int64_t(b.size() * sizeof(T)));
  ahead.add(a.data(), std::int64_t(a.size() * sizeof(T)));
  p.prefetch = &ahead;
  p.shares = m % 2;  // 0: by rows, however few
  units = product::units(p);
  product::run(p, units / 2, units);
  product::run(p, 0, units / 5);
  product::run(p, units / 5, units / 2);
  p.prefetch = nullptr;
  for (std::int64_t q = 0; q < batch; ++q)
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t x = 0; x < k; ++x) {
        T s = a[std::size_t(q * p.a_batch + i * p.a_m + x * p.a_k)];
        T const* row = b.data() + q * p.b_batch + x * p.b_k;
        T* to = sum.data() + (q * m + i) * n;
        for (std::int64_t j = 0; j < n; ++j) to[j] = T(to[j] + s * row[j * p.b_n]);
      }
  auto const start = integers<T>(batch * m * n, 3);
  std::vector<T> added(c.size(), T(99)), in_place = start;
  T const three[] = {3};
  p.scale_at = three;
  p.start = start.data();
  p.c = added.data();
  units = product::units(p);
  product::run(p, 0, units);
  p.start = p.c = in_place.data();
  if (batch == 1) {
    product::run(product::rounds(p, m / 2, m), 0, product::units(product::rounds(p, m / 2, m)));
    product::run(product::rounds(p, 0, m / 2), 0, product::units(product::rounds(p, 0, m / 2)));
  } else {
    product::run(p, units / 3, units);
    product::run(p, 0, units / 3);
  }
  int bad = test::worst_of_added<product>(p, sum) >= 0.51;
  for (std::size_t at = 0; at < c.size(); ++at) {
    T const want = T(start[at] + 3 * sum[at]);
    bad += c[at] != sum[at] || halves[at] != sum[at] || added[at] != want || in_place[at] != want;
  }
  return bad;
}

template <class T> void sweep() {
  for (std::int64_t m : {1, 2, 3, 4, 7, 13, 16, 17, 33, 130})
    for (std::int64_t n : {1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 50, 100})
      for (std::int64_t k : {0, 1, 3, 20, 33})
        for (int turned = 0; turned < 4; ++turned) {
          CAPTURE(m);
          CAPTURE(n);
          CAPTURE(k);
          CAPTURE(turned);
          CHECK(wrong<T>(1, m, n, k, turned & 1, turned & 2) == 0);
        }
  CHECK(wrong<T>(3, 18, 34, 6, false, false) == 0);
  CHECK(wrong<T>(3, 130, 10, 6, true, true) == 0);
  CHECK(wrong<T>(2, 33, 17, 100, true, false, 2) == 0);
  CHECK(wrong<T>(2, 17, 100, 33, false, true, 2) == 0);
}

// What the blocks of a long k, packed rows and panels that are kept need: sizes beyond their limits.
template <class T> void large() {
  for (int turned = 0; turned < 4; ++turned) {
    CAPTURE(turned);
    CHECK(wrong<T>(1, 17, 41, 2500, turned & 1, turned & 2) == 0);
    CHECK(wrong<T>(1, 41, 3, 2500, turned & 1, turned & 2) == 0);
    CHECK(wrong<T>(2, 20, 1100, 1600, turned & 1, turned & 2) == 0);  // sums of many lanes, complete before they join
  }
  for (std::int64_t rows : {17, 24, 45})  // the first rows leave a copy of panels whose steps are far apart
    for (std::int64_t columns : {256, 300, 520}) CHECK(wrong<T>(2, rows, columns, 33, false, false) == 0);
  std::int64_t m = 2 * tuning::gemm::far_rows / std::int64_t(sizeof(T)), k = tuning::gemm::sums_at_once * 5 / 4;
  CHECK(wrong<T>(1, m, 350, k, true, false) == 0);  // panels in groups
  CHECK(wrong<T>(1, m, 270, k + k, true, true) == 0);
  CHECK(wrong<T>(2, m + 5, 300, 130, true, false) == 0);
  std::int64_t many =
      tuning::gemm::many_rows / std::int64_t(sizeof(T)) / 700 + 13;  // more rows than the cache keeps, not packed
  CHECK(wrong<T>(1, many, 70, 700, false, false) == 0);
  CHECK(wrong<T>(1, many, 70, 700, false, true) == 0);
}

}  // namespace

TEST_CASE("products of f32 at all tails, transposed and not") { sweep<float>(); }
TEST_CASE("products of f64") { sweep<double>(); }
TEST_CASE("products beyond the caches") {
  large<float>();
  large<double>();
}
TEST_CASE("products of i32") { sweep<std::int32_t>(); }
