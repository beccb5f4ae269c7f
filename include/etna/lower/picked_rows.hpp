// SPDX-License-Identifier: BSD-3-Clause
// Short rows that an index picks: each is loaded as a whole, and its elements go to a tile for each, so that kernels
// read them side by side. The index is read once a row. Read next: transposed.hpp.
#pragma once
#include <cstring>
#include <limits>

#include "transpose_tile.hpp"

namespace etna::lower {

/// Which rows: `n` numbers of an index, `step` apart, into `size` rows; places are `stride` elements apart, and
/// `lane` more from one number to the next.
struct rows_by_index {
  void const* index;
  dtype d;
  std::int64_t step, n, size, stride, lane;
};
inline constexpr int some_rows = 64;  // at a time
/// The numbers of an index from `from` on, and zeros behind them.
ETNA_NOINLINE inline void read_index(rows_by_index const& rows, std::int64_t from, std::int64_t n, std::int64_t* to) {
  for_dtype(rows.d, [&]<class Index>(std::type_identity<Index>) {
    if constexpr (is_integer(dtype_of<Index>)) {
      auto const* const index = static_cast<Index const*>(rows.index) + from * rows.step;
      if (rows.step == 1)
        for (std::int64_t k = 0; k < n; ++k) to[k] = static_cast<std::int64_t>(+index[k]);
      else
        for (std::int64_t k = 0; k < n; ++k) to[k] = static_cast<std::int64_t>(+index[k * rows.step]);
    }
  });
  std::fill(to + n, to + some_rows, 0);
}
/// Where rows `from` to `from` + n lie, in elements, or -1: nowhere. Is each of them somewhere? A negative index counts
/// from the end.
inline bool find_rows(rows_by_index const& rows, std::int64_t from, std::int64_t n, std::int64_t* at) {
  constexpr int width = 8;
  typedef std::int64_t places __attribute__((vector_size(8 * width)));
  read_index(rows, from, n, at);
  places all_nowhere{}, lane;
  for (int l = 0; l < width; ++l) lane[l] = (from + l) * rows.lane;
  for (int k = 0; k < some_rows; k += width, lane += width * rows.lane) {
    places i;
    std::memcpy(&i, at + k, sizeof(i));
    i += rows.size & (i >> 63);
    places const nowhere = (i | (rows.size - 1 - i)) >> 63;
    i = ((i & ~nowhere) * rows.stride + lane) | nowhere;
    all_nowhere |= nowhere;
    std::memcpy(at + k, &i, sizeof(i));
  }
  std::int64_t any = 0;
  for (int l = 0; l < width; ++l) any |= all_nowhere[l];
  return any == 0;
}

/// Rows of `fields` elements each, which begin at from[at[k]]; those that are nowhere have `none`.
template <class T, int Fields, int Pitch>
void copy_rows(T const* from, std::int64_t const* at, std::int64_t n, bool all, T none, T* to) {
  for (std::int64_t k = 0; k < n && all; ++k) std::memcpy(to + k * Pitch, from + at[k], sizeof(T) * Fields);
  for (std::int64_t k = 0; k < n && !all; ++k) {
    if (at[k] < 0) std::fill_n(to + k * Pitch, Fields, none);
    else std::memcpy(to + k * Pitch, from + at[k], sizeof(T) * Fields);
  }
}
/// The picked rows' elements to tiles: element q of row k to to[q * pitch + k].
template <class T>
void pick_tiles(T const* from, rows_by_index const& rows, int fields, T none, T* to, std::int64_t pitch) {
  constexpr int most = 16;
  std::int64_t at[some_rows];
  alignas(64) T row[some_rows * most];
  for (std::int64_t k = 0; k < rows.n; k += some_rows) {
    std::int64_t const n = std::min<std::int64_t>(some_rows, rows.n - k);
    bool const all = find_rows(rows, k, n, at);
    for (int q = 0; q < fields;) {
      int const left = fields - q, few = left >= most ? most : left >= most / 2 ? most / 2 : left;
      // vectors of few components are turned as they lie; longer ones in squares
      constexpr auto apart = [](int n) { return n <= 4 ? n : n <= most / 2 ? most / 2 : most; };
      [&]<int... Fields>(std::integer_sequence<int, Fields...>) {
        (void)((few == Fields && (copy_rows<T, Fields, apart(Fields)>(from + q, at, n, all, none, row), true)) || ...);
      }(std::integer_sequence<int, 1, 2, 3, 4, 5, 6, 7, most / 2, most>{});
      if (few == 1) std::copy_n(row, n, to + q * pitch + k);
      else transpose_tile(row, apart(few), few, n, to + q * pitch + k, pitch, apart(few) - few);
      q += few;
    }
  }
}

}  // namespace etna::lower
