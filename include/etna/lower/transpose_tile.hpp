// SPDX-License-Identifier: BSD-3-Clause
// A block of elements whose two axes are exchanged. Read next: placing.hpp.
#pragma once
#include <algorithm>

#include "lanes.hpp"

namespace etna::lower {

/// Element [i, k] of `to`, whose rows are `row` apart, is from[i + k * step]; i < n, k < size.
template <class T> class tile_to_turn {
 public:
  tile_to_turn(T const* from, std::int64_t step, std::int64_t n, std::int64_t size, T* to, std::int64_t row)
      : from_(from), step_(step), n_(n), size_(size), to_(to), row_(row) {}
  void run() const {
#if defined(ETNA_HAS_SIMD)
    if constexpr (sizeof(T) >= 4) {
      // the narrowest registers that take all rows
      if constexpr (has<4>)
        if (n_ <= 4) return by<typename sized<4>::type>();
      if constexpr (has<8>)
        if (n_ <= 8) return by<typename sized<8>::type>();
      return by<xsimd::batch<T>>();
    }
#endif
    one_by_one(0, n_, 0, size_);
  }

 private:
  T const* from_;
  std::int64_t step_, n_, size_;
  T* to_;
  std::int64_t row_;

  void one_by_one(std::int64_t i, std::int64_t end, std::int64_t first, std::int64_t last) const {
    for (; i < end; ++i)
      for (std::int64_t k = first; k < last; ++k) to_[i * row_ + k] = from_[i + k * step_];
  }
#if defined(ETNA_HAS_SIMD)
  template <std::size_t N> struct sized {
    using type = xsimd::make_sized_batch_t<T, N>;
  };
  template <std::size_t N> static constexpr bool has =
      N < xsimd::batch<T>::size && !std::is_void_v<xsimd::make_sized_batch_t<T, N>>;

  /// Squares of registers, the last of which ends where the rows end: what it has of the one before is the same once
  /// more. (Not where they are short: a store across two lines of memory takes as long as several elements.)
  template <class V> void by() const {
    constexpr std::int64_t width = V::size;
    std::int64_t const whole = size_ / width * width;
    for (std::int64_t k = 0; k < whole; k += width) {
      if (n_ < width) few_rows<V>(k);
      else {
        std::int64_t i = 0;
        for (; i + width <= n_; i += width) square<V>(i, k);
        if (i < n_) square<V>(n_ - width, k);
      }
    }
    one_by_one(0, n_, whole, size_);
  }
  template <class V> ETNA_INLINE void square(std::int64_t i, std::int64_t k) const {
    constexpr int width = int(V::size);
    V tile[width];
    ETNA_UNROLL for (int q = 0; q < width; ++q) tile[q] = V::load_unaligned(from_ + (k + q) * step_ + i);
    xsimd::transpose(tile, tile + width);
    ETNA_UNROLL for (int q = 0; q < width; ++q) tile[q].store_unaligned(to_ + (i + q) * row_ + k);
  }
  /// Fewer rows than a register has elements: what it reads behind them goes nowhere.
  template <class V> ETNA_INLINE void few_rows(std::int64_t k) const {
    constexpr int width = int(V::size);
    if ((k + width - 1) * step_ + width > (size_ - 1) * step_ + n_) return one_by_one(0, n_, k, k + width);
    V tile[width];
    ETNA_UNROLL for (int q = 0; q < width; ++q) tile[q] = V::load_unaligned(from_ + (k + q) * step_);
    xsimd::transpose(tile, tile + width);
    ETNA_UNROLL for (int q = 0; q < width; ++q) if (q < n_) tile[q].store_unaligned(to_ + q * row_ + k);
  }
#endif
};
template <class T>
void transpose_tile(T const* from, std::int64_t step, std::int64_t n, std::int64_t size, T* to, std::int64_t row) {
  tile_to_turn<T>(from, step, n, size, to, row).run();
}

}  // namespace etna::lower
