// SPDX-License-Identifier: BSD-3-Clause
// Products of numbers of 16 bits over sizes and strides, against plain loops: small integers, so that every order of
// sums is exact. Panels of pairs, which are for AVX512-BF16, give the same on every machine.
#include <doctest/doctest.h>

#include <cstdint>
#include <etna/lower/gemm_narrow.hpp>
#include <vector>

using namespace etna;

namespace {

template <class T> std::vector<T> integers(std::int64_t n, std::uint32_t seed) {
  std::vector<T> v(static_cast<std::size_t>(n));
  for (T& x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = T(float(seed >> 29));  // 0 to 7
  }
  return v;
}
struct sizes {
  std::int64_t batch, m, n, k;
};

/// How many places of c differ from the plain loops: at once, in three shares, and added to what is there.
template <class T, bool Pairs, bool Folds> int wrong(lower::gemm_numbers p, std::vector<float> const& sum) {
  using product = lower::gemm_narrow<T, float, Folds, Pairs>;
  std::vector<float> c(sum.size(), 99.f), shares = c, added = integers<float>(std::int64_t(sum.size()), 3);
  auto const start = added;
  p.c = c.data();
  product::run(p, 0, product::units(p));
  p.c = shares.data();
  p.shares = p.m % 2;  // 0: by rows, however few
  std::int64_t const units = product::units(p);
  product::run(p, units / 2, units);
  product::run(p, 0, units / 5);
  product::run(p, units / 5, units / 2);
  p.literal = 3;
  p.start = p.c = added.data();
  if (p.batch == 1 && p.m > 1) {
    auto const front = product::rounds(p, 0, p.m / 2), back = product::rounds(p, p.m / 2, p.m);
    product::run(back, 0, product::units(back));
    product::run(front, 0, product::units(front));
  } else product::run(p, 0, product::units(p));
  int bad = 0;
  for (std::size_t i = 0; i < sum.size(); ++i)
    bad += c[i] != sum[i] || shares[i] != sum[i] || added[i] != start[i] + 3 * sum[i];
  return bad;
}
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
  return wrong<T, Pairs, false>(p, sum);
}
/// An image [h, w, c] (or [c, h, w]) whose windows of 3 by 3 are rows, times [9 c, n]; and, the other way, lanes.
template <class T, bool Pairs> int wrong_windows(std::int64_t h, std::int64_t c, std::int64_t n, bool channels_first) {
  std::int64_t const w = h + 3, places = (h - 2) * (w - 2), sums = 9 * c;
  auto const x = integers<T>(h * w * c, 1), y = integers<T>(sums * n, 2);
  std::int64_t const row = channels_first ? w : w * c, step = channels_first ? 1 : c,
                     channel = channels_first ? h * w : 1;
  lower::operand_folds folds[2]{};
  folds[0].free = {2, {w - 2, h - 2}, {step, row}};
  folds[0].sums = {3, {c, 3, 3}, {channel, step, row}};
  lower::gemm_numbers p{x.data(), y.data(), nullptr, 1, places, n, sums, 0, step, channel, 0, n, 1};
  p.folds = folds;
  std::vector<float> sum(std::size_t(places * n)), turned(sum.size());
  for (std::int64_t i = 0; i < places; ++i)
    for (std::int64_t s = 0; s < sums; ++s)
      for (std::int64_t j = 0; j < n; ++j) {
        float const part =
            float(x[std::size_t(folds[0].free.at(i) + folds[0].sums.at(s))]) * float(y[std::size_t(s * n + j)]);
        sum[std::size_t(i * n + j)] += part;
        turned[std::size_t(j * places + i)] += part;
      }
  int const bad = wrong<T, Pairs, true>(p, sum);
  lower::operand_folds const other[2] = {{}, folds[0]};
  lower::gemm_numbers q{y.data(), x.data(), nullptr, 1, n, places, sums, 0, 1, n, 0, channel, step};
  q.folds = other;
  return bad + wrong<T, Pairs, true>(q, turned);
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
    for (bool first : {false, true}) CHECK(wrong_windows<T, Pairs>(9, c, 10, first) == 0);
}

}  // namespace

TEST_CASE("products of bf16") { sweep<bfloat16, false>(); }
TEST_CASE("products of f16") { sweep<float16, false>(); }
TEST_CASE("products of bf16 in pairs") { sweep<bfloat16, true>(); }
