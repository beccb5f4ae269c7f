// SPDX-License-Identifier: BSD-3-Clause
// What tests of product kernels share: small integers, so that every order of sums is exact, and products of windows.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <etna/lower/gemm_batch.hpp>
#include <limits>
#include <type_traits>
#include <vector>

namespace test {

template <class T> std::vector<T> integers(std::int64_t n, std::uint32_t seed) {
  std::vector<T> v(static_cast<std::size_t>(n));
  for (T& x : v) {
    seed = seed * 1664525u + 1013904223u;
    x = T(float(seed >> 29));  // 0 to 7
  }
  return v;
}

/// The largest error of sums times a small number that are added to numbers about 1, in units of the last place of 1:
/// half is one rounding. That of the small product, where a processor rounds it by itself, is left out.
template <class Product, class Sum> double worst_of_added(etna::lower::gemm_numbers p, std::vector<Sum> const& sum) {
  if (!std::is_floating_point_v<Sum>) return 0;
  constexpr double small = 1e-7;
  std::vector<Sum> c(sum.size());
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = Sum(1 + double(i % 16) / 32);
  auto const start = c;
  p.literal = small;
  p.scale_at = nullptr;
  p.start = p.c = c.data();
  Product::run(p, 0, Product::units(p));
  long double worst = 0;  // more digits than f64 has
  for (std::size_t i = 0; i < c.size(); ++i) {
    long double const part = static_cast<long double>(small) * sum[i];
    long double const of_part = std::abs(part) / 2 * std::numeric_limits<Sum>::epsilon();
    worst = std::max(worst, std::abs(c[i] - (start[i] + part)) - of_part);
  }
  return double(worst / std::numeric_limits<Sum>::epsilon());
}

/// How many places of c differ from `sum`: at once, in three shares, times 3 added to what is there, and, one more,
/// whether a small part of it is lost there.
template <class Product, class Sum> int wrong_places(etna::lower::gemm_numbers p, std::vector<Sum> const& sum) {
  std::vector<Sum> c(sum.size(), Sum(99)), shares = c, added = integers<Sum>(std::int64_t(sum.size()), 3);
  auto const start = added;
  p.c = c.data();
  Product::run(p, 0, Product::units(p));
  p.c = shares.data();
  p.shares = p.m % 2;  // 0: by rows, however few
  std::int64_t const units = Product::units(p);
  Product::run(p, units / 2, units);
  Product::run(p, 0, units / 5);
  Product::run(p, units / 5, units / 2);
  p.literal = 3;
  p.start = p.c = added.data();
  if (p.batch == 1 && p.m > 1) {
    auto const front = Product::rounds(p, 0, p.m / 2), back = Product::rounds(p, p.m / 2, p.m);
    Product::run(back, 0, Product::units(back));
    Product::run(front, 0, Product::units(front));
  } else Product::run(p, 0, Product::units(p));
  int bad = worst_of_added<Product>(p, sum) >= 0.51;
  for (std::size_t i = 0; i < sum.size(); ++i)
    bad += c[i] != sum[i] || shares[i] != sum[i] || added[i] != start[i] + 3 * sum[i];
  return bad;
}

/// x by tables of rows and sums, times a matrix [sums, n], and, the other way round, a matrix [n, sums] times x.
template <class Product, class T, class Sum> int wrong_folds(std::vector<T> const& x,
                                                             etna::lower::operand_folds const& fold, std::int64_t rows,
                                                             std::int64_t sums, std::int64_t n) {
  auto const y = integers<T>(sums * n, 2);
  std::int64_t const free = fold.free.stride[0], sum_step = fold.sums.stride[0];
  etna::lower::operand_folds const left[2] = {fold, {}}, right[2] = {{}, fold};
  etna::lower::gemm_numbers p{x.data(), y.data(), nullptr, 1, rows, n, sums, 0, free, sum_step, 0, n, 1},
      q{y.data(), x.data(), nullptr, 1, n, rows, sums, 0, 1, n, 0, sum_step, free};
  p.folds = left;
  q.folds = right;
  std::vector<Sum> sum(std::size_t(rows * n)), turned(sum.size());
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t s = 0; s < sums; ++s)
      for (std::int64_t j = 0; j < n; ++j) {
        Sum const part = Sum(x[std::size_t(fold.free.at(i) + fold.sums.at(s))]) * Sum(y[std::size_t(s * n + j)]);
        sum[std::size_t(i * n + j)] += part;
        turned[std::size_t(j * rows + i)] += part;
      }
  return wrong_places<Product>(p, sum) + wrong_places<Product>(q, turned);
}
/// An image [h, h + 3, c] (or [c, h, h + 3]) whose windows of 3 by 3 are rows, or lanes; `by_elements`: the elements of
/// a window are, and sums go over places, as in the gradient by a kernel.
template <class Product, class T, class Sum>
int wrong_windows(std::int64_t h, std::int64_t c, std::int64_t n, bool channels_first, bool by_elements = false) {
  std::int64_t const w = h + 3, row = channels_first ? w : w * c, step = channels_first ? 1 : c,
                     channel = channels_first ? h * w : 1, places = (h - 2) * (w - 2), elements = 9 * c;
  etna::lower::folded_axis const of_places{2, {w - 2, h - 2}, {step, row}},
      of_elements{3, {c, 3, 3}, {channel, step, row}};
  auto const x = integers<T>(h * w * c, 1);
  if (by_elements) return wrong_folds<Product, T, Sum>(x, {of_elements, of_places}, elements, places, n);
  return wrong_folds<Product, T, Sum>(x, {of_places, of_elements}, places, elements, n);
}

}  // namespace test
