// SPDX-License-Identifier: BSD-3-Clause
// A block of elements whose two axes are exchanged. Read next: placing.hpp.
#pragma once
#include <algorithm>

#include "lanes.hpp"

namespace etna::lower {

/// Element [i, k] of `to`, whose rows are `row` apart, is from[i + k * step]; i < n, k < size. Behind the last of them
/// `more` elements may be read.
template <class T> class tile_to_turn {
 public:
  tile_to_turn(T const* from, std::int64_t step, std::int64_t n, std::int64_t size, T* to, std::int64_t row,
               std::int64_t more)
      : from_(from), step_(step), n_(n), size_(size), to_(to), row_(row), more_(more) {}
  void run() const {
#if defined(ETNA_HAS_SIMD)
    if constexpr (sizeof(T) >= 4) {
      // vectors of few components, one behind the other
      if (step_ == n_ && n_ >= 2 && n_ <= 4 && size_ > n_)
        return n_ == 2 ? apart<2>() : n_ == 3 ? apart<3>() : apart<4>();
      if (row_ == size_ && size_ >= 2 && size_ <= 4 && n_ > size_)
        return size_ == 2 ? together<2>() : size_ == 3 ? together<3>() : together<4>();
      // the narrowest registers that take all rows, or that rows of the result fill
      if constexpr (has<4>)
        if (n_ <= 4 || size_ < 8) return by<typename sized<4>::type>();
      if constexpr (has<8>)
        if (n_ <= 8 || size_ < 16) return by<typename sized<8>::type>();
      return by<xsimd::batch<T>>();
    }
#endif
    one_by_one(0, n_, 0, size_);
  }

 private:
  T const* from_;
  std::int64_t step_, n_, size_;
  T* to_;
  std::int64_t row_, more_;

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
  /// more.
  template <class V> void by() const {
    tile_to_turn const t = *this;  // stores of registers may change what `this` has, for all that compilers know
    t.template squares_by<V>();
  }
  template <class V> ETNA_INLINE void squares_by() const {
    constexpr std::int64_t width = V::size;
    std::int64_t whole = size_ / width * width;
    for (std::int64_t k = 0; k < whole; k += width) {
      if (n_ < width) few_rows<V>(k);
      else squares<V>(k);
    }
    if (whole < size_ && size_ > width && n_ >= width) squares<V>(size_ - width);
    else one_by_one(0, n_, whole, size_);
  }
  template <class V> ETNA_INLINE void squares(std::int64_t k) const {
    constexpr std::int64_t width = V::size;
    std::int64_t i = 0;
    for (; i + width <= n_; i += width) square<V>(i, k);
    if (i < n_) square<V>(n_ - width, k);
  }
  template <class V> ETNA_INLINE void square(std::int64_t i, std::int64_t k) const {
    constexpr int width = int(V::size);
    V tile[width];
    ETNA_UNROLL for (int q = 0; q < width; ++q) tile[q] = V::load_unaligned(from_ + (k + q) * step_ + i);
    xsimd::transpose(tile, tile + width);
    ETNA_UNROLL for (int q = 0; q < width; ++q) tile[q].store_unaligned(to_ + (i + q) * row_ + k);
  }
  /// Element l of the result is element at(l) of N registers side by side.
  template <int N, class At> ETNA_INLINE static auto picked(xsimd::batch<T> const* x, At) {
    using V = xsimd::batch<T>;
    constexpr int width = int(V::size);
    return [&]<int... L>(std::integer_sequence<int, L...>) {
      typedef T vector __attribute__((vector_size(sizeof(V))));
      auto of = [&](int k) ETNA_INLINE_LAMBDA { return std::bit_cast<vector>(x[k].data); };
      vector r = __builtin_shufflevector(of(0), of(1), (At::at(L) < 2 * width ? At::at(L) : 0)...);
      if constexpr (N > 2)  // those that the first two registers have, and the third's
        r = __builtin_shufflevector(r, of(2),
                                    (At::at(L) < 2 * width   ? L
                                     : At::at(L) < 3 * width ? At::at(L) - width
                                                             : 0)...);
      if constexpr (N > 3)
        r = __builtin_shufflevector(r, of(3), (At::at(L) < 3 * width ? L : At::at(L) - 2 * width)...);
      return V(std::bit_cast<typename V::register_type>(r));
    }(std::make_integer_sequence<int, width>{});
  }
  static constexpr int lanes = int(xsimd::batch<T>::size);
  template <int N, int Component> struct component_of {
    static constexpr int at(int lane) { return lane * N + Component; }
  };
  template <int N, int Nth> struct register_of {
    static constexpr int at(int lane) { return (Nth * lanes + lane) % N * lanes + (Nth * lanes + lane) / N; }
  };
  /// N components, to N rows.
  template <int N> void apart() const {
    std::int64_t k = 0;
    for (; k + lanes <= size_; k += lanes) {
      xsimd::batch<T> x[N];
      ETNA_UNROLL for (int q = 0; q < N; ++q) x[q] = xsimd::batch<T>::load_unaligned(from_ + k * N + q * lanes);
      [&]<int... Q>(std::integer_sequence<int, Q...>) {
        (picked<N>(x, component_of<N, Q>{}).store_unaligned(to_ + Q * row_ + k), ...);
      }(std::make_integer_sequence<int, N>{});
    }
    one_by_one(0, n_, k, size_);
  }
  /// Of N rows, to components.
  template <int N> void together() const {
    std::int64_t i = 0;
    for (; i + lanes <= n_; i += lanes) {
      xsimd::batch<T> x[N];
      ETNA_UNROLL for (int q = 0; q < N; ++q) x[q] = xsimd::batch<T>::load_unaligned(from_ + q * step_ + i);
      [&]<int... Q>(std::integer_sequence<int, Q...>) {
        (picked<N>(x, register_of<N, Q>{}).store_unaligned(to_ + i * N + Q * lanes), ...);
      }(std::make_integer_sequence<int, N>{});
    }
    one_by_one(i, n_, 0, size_);
  }
  /// Fewer rows than a register has elements: what it reads behind them goes nowhere.
  template <class V> ETNA_INLINE void few_rows(std::int64_t k) const {
    constexpr int width = int(V::size);
    if ((k + width - 1) * step_ + width > (size_ - 1) * step_ + n_ + more_) return one_by_one(0, n_, k, k + width);
    V tile[width];
    ETNA_UNROLL for (int q = 0; q < width; ++q) tile[q] = V::load_unaligned(from_ + (k + q) * step_);
    xsimd::transpose(tile, tile + width);
    ETNA_UNROLL for (int q = 0; q < width; ++q) if (q < n_) tile[q].store_unaligned(to_ + q * row_ + k);
  }
#endif
};
template <class T> void transpose_tile(T const* from, std::int64_t step, std::int64_t n, std::int64_t size, T* to,
                                       std::int64_t row, std::int64_t more = 0) {
  tile_to_turn<T>(from, step, n, size, to, row, more).run();
}

}  // namespace etna::lower
