// SPDX-License-Identifier: BSD-3-Clause
// Operands of 16 bits as panels that a block reads: each number is converted where it is copied. Panels of lanes have
// the lanes of one step side by side; panels of rows have the steps of one row side by side. Read next:
// gemm_narrow.hpp.
#pragma once
#include "gemm_block.hpp"

namespace etna::lower {

/// E: float, or two steps as they are.
template <class T, class E> struct narrow_panel {
  using block = gemm_block<E, float>;
  static constexpr std::int64_t per = is_pair<E> ? 2 : 1;  // steps of an element

  static std::int64_t elements(std::int64_t k) { return (k + per - 1) / per; }

  /// k steps of `count` lanes, each padded with zeros to `size`.
  static void lanes(walk<T> const& from, std::int64_t k, std::int64_t count, std::int64_t size, E* to) {
    if constexpr (!is_pair<E>) {
      if (from.free_at) block::pack_folded(from, k, count, size, to);
      else block::pack(from, k, count, size, to);
    } else if (!from.free_at && from.free == 1) pairs_beside(from, k, count, size, to);
    else if (!from.free_at && from.sum == 1) pairs_behind(from, k, count, size, to);
    else
      for (std::int64_t x = 0; x < elements(k); ++x)
        for (std::int64_t j = 0; j < size; ++j) to[x * size + j] = j < count ? pair_at(from, j, 2 * x, k) : E{0};
  }
  /// k steps of `count` rows, each row padded with zeros to `size` elements.
  static void rows(walk<T> const& from, std::int64_t k, std::int64_t count, std::int64_t size, E* to) {
    if constexpr (!is_pair<E>) lanes({from.at, from.sum, from.free, from.sum_at, from.free_at}, count, k, size, to);
    else
      for (std::int64_t i = 0; i < count; ++i, to += size) {
        std::int64_t const whole = !from.free_at && from.sum == 1 ? k / 2 : 0;
        if (whole > 0) std::memcpy(to, from.at + i * from.free, std::size_t(4 * whole));
        for (std::int64_t x = whole; x < elements(k); ++x) to[x] = pair_at(from, i, 2 * x, k);
      }
  }
  /// Do the rows of a folded operand lie together, rather than its steps?
  static bool lie_by_rows(walk<T> const& from, std::int64_t k, std::int64_t count) {
    std::int64_t const i = count / 2, x = k / 2;
    return i > 0 && from.free_at[i] == from.free_at[i - 1] + 1 && (x == 0 || from.sum_at[x] != from.sum_at[x - 1] + 1);
  }

 private:
  static std::uint32_t bits_at(walk<T> const& w, std::int64_t i, std::int64_t x) {
    return w.at[w.free_at ? w.free_at[i] + w.sum_at[x] : i * w.free + x * w.sum].bits;
  }
  static E pair_at(walk<T> const& w, std::int64_t i, std::int64_t x, std::int64_t k) {
    return {bits_at(w, i, x) | (x + 1 < k ? bits_at(w, i, x + 1) << 16 : 0)};
  }
#if defined(ETNA_HAS_SIMD)
  using word = xsimd::batch<std::uint32_t>;
  static constexpr std::int64_t width = block::width;
  // Lanes follow each other in memory: those of two steps, one beside the other.
  static void pairs_beside(walk<T> const& from, std::int64_t k, std::int64_t count, std::int64_t size, E* to) {
    auto halves = [](T const* p) { return conversion<4>::load(reinterpret_cast<std::uint16_t const*>(p)); };
    for (std::int64_t x = 0; x < k; x += 2, to += size) {
      T const* const at = from.at + x * from.sum;
      std::int64_t j = 0;
      if (x + 1 < k)
        for (; j + width <= count; j += width)
          (halves(at + j) | halves(at + from.sum + j) << 16).store_unaligned(reinterpret_cast<std::uint32_t*>(to + j));
      for (; j < size; ++j) to[j] = j < count ? pair_at(from, j, x, k) : E{0};
    }
  }
  // Steps follow each other in memory: tiles of pairs, transposed.
  static void pairs_behind(walk<T> const& from, std::int64_t k, std::int64_t count, std::int64_t size, E* to) {
    using V = typename block::V;
    for (std::int64_t j = 0; j < size; j += width)
      for (std::int64_t x = 0; x < k; x += 2 * width) {
        E* const tile_to = to + x / 2 * size + j;
        if (count - j < width || k - x < 2 * width || size - j < width) {
          for (std::int64_t p = 0; p < width && x + 2 * p < k; ++p)
            for (std::int64_t i = 0; i < width && j + i < size; ++i)
              tile_to[p * size + i] = j + i < count ? pair_at(from, j + i, x + 2 * p, k) : E{0};
          continue;
        }
        V tile[block::width];
        ETNA_UNROLL for (int i = 0; i < block::width; ++i) tile[i] =
            steps_of<E, V>::load(reinterpret_cast<E const*>(from.at + (j + i) * from.free + x));
        xsimd::transpose(tile, tile + width);
        ETNA_UNROLL for (int i = 0; i < block::width; ++i) steps_of<E, V>::store(tile[i], tile_to + i * size);
      }
  }
#endif
};

}  // namespace etna::lower
