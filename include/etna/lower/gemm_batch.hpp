// SPDX-License-Identifier: BSD-3-Clause
// Many small products: each lane of a register has one of the batch. The operands are transposed first, so that the
// same element of all of them lies together, and the results at last. Each sum is one chain in the order of k, as in a
// block. Read next: gemm.hpp.
#pragma once
#include "gemm_block.hpp"
#include "transpose_tile.hpp"

namespace etna::lower {

struct gemm_numbers {
  void const* a;
  void const* b;
  void* c;  // [batch, m, n], row-major
  std::int64_t batch, m, n, k;
  std::int64_t a_batch, a_m, a_k, b_batch, b_k, b_n;  // strides, of folded axes those of their innermost loop
  void const* start = nullptr;                        // like c, or c: the products are added to it, ...
  void const* scale_at = nullptr;                     // times this number, if there is one, ...
  double literal = 1;                                 // and this one
  prefetch_list const* prefetch = nullptr;            // for what comes next
  std::int64_t shares = 1;                            // into which it is divided, about
  operand_folds const* folds = nullptr;               // of a and b, where one of them is folded
  std::int64_t first_row = 0;                         // of all rows of a folded a: where those of this product begin
  std::int64_t first_sum = 0;                         // of all terms of folded operands, the same
  template <class Sum> ETNA_FN Sum scale() const {
    return Sum(literal) * (scale_at ? *static_cast<Sum const*>(scale_at) : Sum(1));
  }
};

template <class T, class Sum> struct gemm_batch {
  using block = gemm_block<T, Sum>;
  static constexpr std::int64_t most =
      sizeof(T) == 4 ? tuning::gemm::batch_elements_of_4_bytes
                     : tuning::gemm::batch_elements_of_8_bytes;  // elements of an operand, or of a result
  static constexpr std::int64_t lanes = 128 / sizeof(T);         // products of a unit

  static bool applies(gemm_numbers const& p) {
    return block::simd && !p.folds && !p.start && 2 * p.batch >= lanes && p.k > 0 && p.m * p.k <= most &&
           p.k * p.n <= most && p.m * p.n <= most;
  }
  static std::int64_t units(gemm_numbers const& p) { return (p.batch + lanes - 1) / lanes; }
  static void run([[maybe_unused]] gemm_numbers const& p, [[maybe_unused]] std::int64_t from,
                  [[maybe_unused]] std::int64_t to) {
#if defined(ETNA_HAS_SIMD)
    if constexpr (block::simd)
      for (std::int64_t u = from; u < to; ++u) some(p, u * lanes, std::min(lanes, p.batch - u * lanes));
#endif
  }

#if defined(ETNA_HAS_SIMD)
 private:
  struct tile {
    alignas(64) T at[most * lanes];
  };
  /// An operand with the products side by side; or the memory, where they lie so.
  static walk<T> side_by_side(T const* x, std::int64_t batch, std::int64_t free, std::int64_t sum, std::int64_t n_free,
                              std::int64_t n_sum, std::int64_t n, tile& t) {
    if (batch == 1 && n == lanes) return {x, free, sum};
    bool const by_free = sum == 1 && free == n_sum, by_sum = free == 1 && sum == n_free;
    walk<T> const w{t.at, by_sum ? lanes : n_sum * lanes, by_sum ? n_free * lanes : lanes};
    if (by_free || by_sum) transpose_tile(x, batch, n_free * n_sum, n, t.at, lanes);
    else
      for (std::int64_t i = 0; i < n_free; ++i)
        for (std::int64_t s = 0; s < n_sum; ++s)
          for (std::int64_t q = 0; q < n; ++q) t.at[i * w.free + s * w.sum + q] = x[q * batch + i * free + s * sum];
    return w;
  }
  static void some(gemm_numbers const& p, std::int64_t first, std::int64_t n) {
    tile a, b, c;
    walk<T> const x =
        side_by_side(static_cast<T const*>(p.a) + first * p.a_batch, p.a_batch, p.a_m, p.a_k, p.m, p.k, n, a);
    walk<T> const y =
        side_by_side(static_cast<T const*>(p.b) + first * p.b_batch, p.b_batch, p.b_n, p.b_k, p.n, p.k, n, b);
    for (std::int64_t q = 0; q < n; q += block::width) {
      std::int64_t i = 0;
      for (; i + 2 <= p.m; i += 2) rows<2>(p, x, y, c.at, i, q);
      if (i < p.m) rows<1>(p, x, y, c.at, i, q);
    }
    transpose_tile(c.at, lanes, n, p.m * p.n, static_cast<T*>(p.c) + first * p.m * p.n, p.m * p.n);
  }
  template <int R>
  static void rows(gemm_numbers const& p, walk<T> const& a, walk<T> const& b, T* c, std::int64_t i, std::int64_t q) {
    std::int64_t j = 0;
    for (; j + 4 <= p.n; j += 4) sums<R, 4>(p, a, b, c, i, j, q);
    for (; j + 2 <= p.n; j += 2) sums<R, 2>(p, a, b, c, i, j, q);
    if (j < p.n) sums<R, 1>(p, a, b, c, i, j, q);
  }
  template <int R, int C> static void sums(gemm_numbers const& p, walk<T> const& a, walk<T> const& b, T* c,
                                           std::int64_t i, std::int64_t j, std::int64_t q) {
    using V = typename block::V;
    V acc[R * C];
    ETNA_UNROLL for (V& s : acc) s = V(T(0));
    T const *x = a.at + i * a.free + q, *y = b.at + j * b.free + q;
    for (std::int64_t s = 0; s < p.k; ++s, x += a.sum, y += b.sum) {
      V row[C];
      ETNA_UNROLL for (int h = 0; h < C; ++h) row[h] = V::load_unaligned(y + h * b.free);
      ETNA_UNROLL for (int r = 0; r < R; ++r) {
        V const left = V::load_unaligned(x + r * a.free);
        ETNA_UNROLL for (int h = 0; h < C; ++h) acc[r * C + h] = xsimd::fma(left, row[h], acc[r * C + h]);
      }
    }
    ETNA_UNROLL for (int r = 0; r < R; ++r) ETNA_UNROLL for (int h = 0; h < C; ++h) acc[r * C + h].store_aligned(
        c + ((i + r) * p.n + j + h) * lanes + q);
  }
#endif
};

}  // namespace etna::lower
