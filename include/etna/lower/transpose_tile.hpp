// SPDX-License-Identifier: BSD-3-Clause
// A block of elements whose two axes are exchanged. Read next: placing.hpp.
#pragma once
#include "lanes.hpp"

namespace etna::lower {

/// Element [i, k] of `to`, whose rows are `row` apart, is from[i + k * step]; i < n, k < size. Squares of registers are
/// transposed.
template <class T>
void transpose_tile(T const* from, std::int64_t step, std::int64_t n, std::int64_t size, T* to, std::int64_t row) {
  std::int64_t i = 0;
#if defined(ETNA_HAS_SIMD)
  if constexpr (sizeof(T) >= 4) {
    using V = xsimd::batch<T>;
    constexpr int width = int(V::size);
    std::int64_t const turned = n / width * width, whole = size / width * width;
    for (std::int64_t k = 0; k < whole; k += width)
      for (i = 0; i < turned; i += width) {
        V tile[width];
        ETNA_UNROLL for (int q = 0; q < width; ++q) tile[q] = V::load_unaligned(from + (k + q) * step + i);
        xsimd::transpose(tile, tile + width);
        ETNA_UNROLL for (int q = 0; q < width; ++q) tile[q].store_unaligned(to + (i + q) * row + k);
      }
    for (i = 0; i < turned; ++i)
      for (std::int64_t k = whole; k < size; ++k) to[i * row + k] = from[i + k * step];
  }
#endif
  for (; i < n; ++i)
    for (std::int64_t k = 0; k < size; ++k) to[i * row + k] = from[i + k * step];
}

}  // namespace etna::lower
