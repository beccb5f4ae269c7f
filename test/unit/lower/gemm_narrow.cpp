// SPDX-License-Identifier: BSD-3-Clause
// Products of numbers of 16 bits over sizes and strides, against plain loops: small integers, so that every order of
// sums is exact. Panels of pairs, which are for AVX512-BF16, give the same on every machine.
#include <etna/lower/gemm_narrow.hpp>

#include "products.hpp"

using namespace etna;
using namespace test;

namespace {

struct sizes {
  std::int64_t batch, m, n, k;
};

template <class T, bool Pairs, bool Folds> using product = lower::gemm_narrow<T, float, Folds, Pairs>;
template <class T, bool Pairs> int wrong(sizes s, bool turned_a, bool turned_b, std::int64_t apart = 1) {
  auto const a = integers<T>(apart * s.batch * s.m * s.k, 1), b = integers<T>(apart * s.batch * s.k * s.n, 2);
  lower::gemm_numbers const p{a.data(),
                              b.data(),
                              nullptr,
                              s.batch,
                              s.m,
                              s.n,
                              s.k,
                              apart * s.m * s.k,
                              apart * (turned_a ? 1 : s.k),
                              apart * (turned_a ? s.m : 1),
                              apart * s.k * s.n,
                              apart * (turned_b ? 1 : s.n),
                              apart * (turned_b ? s.k : 1)};
  std::vector<float> sum(std::size_t(s.batch * s.m * s.n));
  for (std::int64_t q = 0; q < s.batch; ++q)
    for (std::int64_t i = 0; i < s.m; ++i)
      for (std::int64_t x = 0; x < s.k; ++x)
        for (std::int64_t j = 0; j < s.n; ++j)
          sum[std::size_t((q * s.m + i) * s.n + j)] += float(a[std::size_t(q * p.a_batch + i * p.a_m + x * p.a_k)]) *
                                                       float(b[std::size_t(q * p.b_batch + x * p.b_k + j * p.b_n)]);
  return wrong_places<product<T, Pairs, false>>(p, sum);
}
template <class T, bool Pairs> void sweep() {
  for (std::int64_t m : {1, 2, 3, 7, 13, 17, 33})
    for (std::int64_t n : {1, 8, 9, 16, 17, 33, 50})
      for (std::int64_t k : {0, 1, 2, 3, 20, 33})
        for (int turned = 0; turned < 4; ++turned) {
          CAPTURE(m);
          CAPTURE(n);
          CAPTURE(k);
          CAPTURE(turned);
          CHECK(wrong<T, Pairs>({1, m, n, k}, turned & 1, turned & 2) == 0);
        }
  for (int turned = 0; turned < 4; ++turned) {
    CHECK(wrong<T, Pairs>({3, 18, 34, 70}, turned & 1, turned & 2) == 0);
    CHECK(wrong<T, Pairs>({2, 17, 100, 33}, turned & 1, turned & 2, 2) == 0);
    CHECK(wrong<T, Pairs>({1, 300, 41, 2501}, turned & 1, turned & 2) == 0);  // rows in groups, sums in parts
  }
  for (std::int64_t c : {1, 3, 16})
    for (bool first : {false, true}) CHECK(wrong_windows<product<T, Pairs, true>, T, float>(9, c, 10, first) == 0);
}

}  // namespace

TEST_CASE("products of bf16") { sweep<bfloat16, false>(); }
TEST_CASE("products of f16") { sweep<float16, false>(); }
TEST_CASE("products of bf16 in pairs") { sweep<bfloat16, true>(); }
