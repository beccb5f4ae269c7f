// SPDX-License-Identifier: BSD-3-Clause
// Matrix products: one register-blocked kernel for any strides, batched. B is packed in panels where
// its rows are not contiguous or end early. The order of sums is fixed by the sizes; units are blocks
// of rows and columns, so any share of them gives the same bits. Read next: scatter.hpp.
#pragma once
#include <etna/array/storage.hpp>

#include "lanes.hpp"

namespace etna::lower {

struct product_numbers {
  void const* a;
  void const* b;
  void* c;                                  // [batch, m, n], row-major
  std::int64_t batch, m, n, k;
  std::int64_t a_batch, a_m, a_k, b_batch, b_k, b_n;
};

inline constexpr std::int64_t rows_in_unit = 16;
// Rows from which on a packed panel is read often enough: its rows lie together, and fall into different sets of the cache.
inline constexpr std::int64_t rows_that_pay = 128;

/// Memory for panels, one for each thread, kept.
inline void* panel_memory(std::size_t bytes) {
  struct kept {
    memory_block* b = nullptr;
    ~kept() { release(b); }
  };
  static thread_local kept mine;
  if (!mine.b || mine.b->bytes < bytes) {
    release(mine.b);
    mine.b = memory::allocate(bytes);
  }
  return mine.b->data;
}

template <class T, class Sum> struct product {
#if defined(ETNA_HAS_SIMD)
  static constexpr bool simd = std::is_floating_point_v<T> && std::is_same_v<T, Sum>;
#else
  static constexpr bool simd = false;
#endif
  static constexpr int width = simd ? int(64 / sizeof(T)) : 8;  // columns of a vector block
  static constexpr int columns = 2 * width;

  static std::int64_t units(product_numbers const& p) {
    return p.batch * ((p.m + rows_in_unit - 1) / rows_in_unit) * ((p.n + columns - 1) / columns);
  }
  ETNA_NOINLINE static void run(product_numbers const& p, std::int64_t from, std::int64_t to) {
    std::int64_t row_blocks = (p.m + rows_in_unit - 1) / rows_in_unit, column_blocks = (p.n + columns - 1) / columns;
    std::int64_t packed_for = -1;
    T* panel = nullptr;
    for (std::int64_t u = from; u < to; ++u) {
      // rows are innermost, so that a packed panel is used again
      std::int64_t i = u % row_blocks * rows_in_unit, rest = u / row_blocks, j = rest % column_blocks * columns, q = rest / column_blocks;
      std::int64_t nj = p.n - j < columns ? p.n - j : columns, mi = p.m - i < rows_in_unit ? p.m - i : rows_in_unit;
      T const* a = static_cast<T const*>(p.a) + q * p.a_batch + i * p.a_m;
      T const* b = static_cast<T const*>(p.b) + q * p.b_batch + j * p.b_n;
      std::int64_t ldb = p.b_k;
      if (p.b_n != 1 || nj < columns || p.m >= rows_that_pay) {
        if (packed_for != rest) {
          if (!panel) panel = static_cast<T*>(panel_memory(std::size_t(p.k * columns) * sizeof(T)));
          pack(b, p.k, nj, p.b_k, p.b_n, panel);
          packed_for = rest;
        }
        b = panel;
        ldb = columns;
      }
      Sum* c = static_cast<Sum*>(p.c) + (q * p.m + i) * p.n + j;
      rows(a, p.a_m, p.a_k, b, ldb, c, p.n, mi, nj, p.k);
    }
  }

 private:
  static void pack(T const* b, std::int64_t k, std::int64_t nj, std::int64_t b_k, std::int64_t b_n, T* to) {
    for (std::int64_t x = 0; x < k; ++x)
      for (std::int64_t j = 0; j < columns; ++j) to[x * columns + j] = j < nj ? b[x * b_k + j * b_n] : T(0);
  }
  static void rows(T const* a, std::int64_t a_m, std::int64_t a_k, T const* b, std::int64_t ldb, Sum* c, std::int64_t ldc,
                   std::int64_t m, std::int64_t nj, std::int64_t k) {
    if constexpr (simd)
      if (nj <= width) return blocks<width>(a, a_m, a_k, b, ldb, c, ldc, m, nj, k);
    blocks<columns>(a, a_m, a_k, b, ldb, c, ldc, m, nj, k);
  }
  template <int Columns> static void blocks(T const* a, std::int64_t a_m, std::int64_t a_k, T const* b, std::int64_t ldb, Sum* c, std::int64_t ldc,
                                            std::int64_t m, std::int64_t nj, std::int64_t k) {
    std::int64_t i = 0;
    for (; i + 8 <= m; i += 8) block_of<8, Columns>(a + i * a_m, a_m, a_k, b, ldb, c + i * ldc, ldc, nj, k);
    for (; i + 4 <= m; i += 4) block_of<4, Columns>(a + i * a_m, a_m, a_k, b, ldb, c + i * ldc, ldc, nj, k);
    for (; i < m; ++i) block_of<1, Columns>(a + i * a_m, a_m, a_k, b, ldb, c + i * ldc, ldc, nj, k);
  }
  template <int R, int Columns> static void block_of(T const* a, std::int64_t a_m, std::int64_t a_k, T const* b, std::int64_t ldb, Sum* c,
                                                     std::int64_t ldc, std::int64_t nj, std::int64_t k) {
#if defined(ETNA_HAS_SIMD)
    if constexpr (simd) {
      using V = xsimd::batch<T>;
      constexpr int parts = Columns / int(V::size);
      V acc[R][parts];
      ETNA_UNROLL for (int r = 0; r < R; ++r)
        ETNA_UNROLL for (int p = 0; p < parts; ++p) acc[r][p] = V(T(0));
      for (std::int64_t x = 0; x < k; ++x) {
        V row[parts];
        ETNA_UNROLL for (int p = 0; p < parts; ++p) row[p] = V::load_unaligned(b + x * ldb + p * int(V::size));
        ETNA_UNROLL for (int r = 0; r < R; ++r) {
          V s(a[r * a_m + x * a_k]);
          ETNA_UNROLL for (int p = 0; p < parts; ++p) acc[r][p] = xsimd::fma(s, row[p], acc[r][p]);
        }
      }
      if (nj == Columns) {
        ETNA_UNROLL for (int r = 0; r < R; ++r)
          ETNA_UNROLL for (int p = 0; p < parts; ++p) acc[r][p].store_unaligned(c + r * ldc + p * int(V::size));
        return;
      }
      alignas(64) T lane[R][Columns];
      ETNA_UNROLL for (int r = 0; r < R; ++r)
        ETNA_UNROLL for (int p = 0; p < parts; ++p) acc[r][p].store_aligned(lane[r] + p * int(V::size));
      for (int r = 0; r < R; ++r)
        for (std::int64_t j = 0; j < nj; ++j) c[r * ldc + j] = lane[r][j];
      return;
    }
#endif
    Sum acc[R][Columns] = {};
    for (std::int64_t x = 0; x < k; ++x)
      for (int r = 0; r < R; ++r)
        for (int j = 0; j < Columns; ++j) acc[r][j] += Sum(a[r * a_m + x * a_k]) * Sum(b[x * ldb + j]);
    for (int r = 0; r < R; ++r)
      for (std::int64_t j = 0; j < nj; ++j) c[r * ldc + j] = acc[r][j];
  }
};

}  // namespace etna::lower
