// SPDX-License-Identifier: BSD-3-Clause
// The inside of a matrix product: a block of sums in registers, and panels, which are operands copied so that
// what one step of the sums reads lies together. Read next: gemm_batch.hpp.
#pragma once
#include <algorithm>

#include <etna/math/lane.hpp>
#include <etna/ops/arithmetic.hpp>

#include "bf16_pair.hpp"
#include "folded_axis.hpp"
#include "prefetch.hpp"
#include "lanes.hpp"

namespace etna::lower {

/// An operand as a walk: strides along its free axis, and along the sums. Where these are folded, how far each row (or
/// lane) and each step is from `at` stands in two tables.
template <class T> struct walk {
  T const* at;
  std::int64_t free, sum;
  std::int64_t const *free_at = nullptr, *sum_at = nullptr;
  walk from(std::int64_t i, std::int64_t step) const { return {at + i * free + step * sum, free, sum}; }
};
/// Rows or lanes from i on, and steps from x on, of an operand that is folded.
template <class T> walk<T> by_tables(walk<T> const& w, operand_folds const& folds, std::int64_t i, std::int64_t count,
                                     std::int64_t x, std::int64_t k, std::int64_t* table) {
  auto put = [&](folded_axis const& axis, std::int64_t stride, std::int64_t from, std::int64_t n) {
    std::int64_t* const at = table;
    if (axis.is_folded()) axis.put(from, n, at);
    else
      for (std::int64_t j = 0; j < n; ++j) at[j] = (from + j) * stride;
    table += n;
    return at;
  };
  std::int64_t const *const free_at = put(folds.free, w.free, i, count), *const sum_at = put(folds.sums, w.sum, x, k);
  return {w.at, w.free, w.sum, free_at, sum_at};
}
/// Results: rows of a times lanes of b. Lanes of b follow each other in memory (b.free is 1), and there are as many as
/// a vector or a panel has; `lanes` of them are wanted.
template <class T, class Sum> struct block_numbers {
  walk<T> a, b;
  Sum* c;
  std::int64_t c_row, c_lane;
  std::int64_t lanes, k;
  Sum const* start;  // like c, or c: what the sums are added to, times `scale`; null: nothing
  Sum scale;
  T* kept = nullptr;  // where the first rows leave b as a panel for the others
  prefetching* ahead = nullptr;
};

/// T: one step of the sums, or two of them (bf16_pair).
template <class T, class Sum> struct gemm_block {
#if defined(ETNA_HAS_SIMD)
  static constexpr bool simd = std::is_floating_point_v<Sum> && (std::is_same_v<T, Sum> || is_pair<T>);
  using V = xsimd::batch<std::conditional_t<simd, Sum, float>>;
  using steps = steps_of<T, V>;
  static constexpr int width = simd ? int(V::size) : 8;
  static constexpr bool many_registers = sizeof(V) == 64;
#else
  static constexpr bool simd = false, many_registers = false;
  static constexpr int width = 8;
#endif
  static constexpr int columns = 2 * width;  // lanes of a panel
  // Rows of a block, each of two vectors of sums: as many as fit in the registers beside the operands. And no more than
  // a vector has elements: of such a block g++ keeps the sums on the stack in some programs.
  static constexpr int rows = !many_registers ? 6 : width < 12 ? 8 : 12;

  static constexpr int folded_rows = rows < 8 ? rows : 8;  // each has a pointer of its own

  template <bool Folds> static void run(block_numbers<T, Sum> const& n, std::int64_t m) {
    if constexpr (Folds)
      if (n.a.free_at) return n.lanes <= width ? folded<width>(n, m) : folded<columns>(n, m);
    if constexpr (simd)
      if (n.lanes <= width) return all_rows<width>(n, m);
    all_rows<columns>(n, m);
  }

  /// Copies k steps of `count` elements, each step padded with zeros to `size`. From: T, or a type of 16 bits, which
  /// becomes T here.
  template <class From>
  static void pack(walk<From> const& from, std::int64_t k, std::int64_t count, std::int64_t size, T* to) {
#if defined(ETNA_HAS_SIMD)
    if constexpr (simd)
      if (from.free == 1 || from.sum == 1) {
        for (std::int64_t j = 0; j < size; j += width)
          (from.free == 1 ? copy<From> : transpose_tile<From>)(from.from(j, 0), k, count - j, size, size - j, to + j);
        return;
      }
#endif
    for (std::int64_t x = 0; x < k; ++x)
      for (std::int64_t j = 0; j < size; ++j)
        to[x * size + j] = j < count ? T(from.at[x * from.sum + j * from.free]) : T(0);
  }
  /// The same of a folded operand: lanes that follow each other in memory together.
  template <class From>
  static void pack_folded(walk<From> const& from, std::int64_t k, std::int64_t count, std::int64_t size, T* to) {
    for (std::int64_t j = 0; j < count;) {
      std::int64_t run = 1;
      while (j + run < count && from.free_at[j + run] == from.free_at[j] + run) ++run;
      bool const last = j + run == count;
      put_run(from.at + from.free_at[j], from.sum_at, k, run, size, last ? size - j : run, to + j);
      j += run;
    }
  }

 private:
  // `room` elements of each step, the first `run` of them from memory.
  template <class From> static void put_run(From const* from, std::int64_t const* sum_at, std::int64_t k,
                                            std::int64_t run, std::int64_t size, std::int64_t room, T* to) {
#if defined(ETNA_HAS_SIMD)
    if constexpr (simd)
      if (run > 2) {
        for (std::int64_t j = 0; j < room; j += width)
          for (std::int64_t x = 0; x < k; ++x) store(load(from + sum_at[x] + j, run - j), to + x * size + j, room - j);
        return;
      }
#endif
    for (std::int64_t x = 0; x < k; ++x)
      for (std::int64_t j = 0; j < room; ++j) to[x * size + j] = j < run ? T(from[sum_at[x] + j]) : T(0);
  }
  template <int Columns> static void folded(block_numbers<T, Sum> n, std::int64_t m) {
    auto step = [&]<int R>(std::integral_constant<int, R>) {
      block_of<R, Columns, false, false, true>(n);
      m -= R;
      n.a.free_at += R;
      n.c += R * n.c_row;
      if (n.start) n.start += R * n.c_row;
    };
    using std::integral_constant;
    while (m >= folded_rows) step(integral_constant<int, folded_rows>{});
    while (m >= 4) step(integral_constant<int, 4>{});  // NOLINT(bugprone-infinite-loop): step changes m
    while (m >= 2) step(integral_constant<int, 2>{});  // NOLINT(bugprone-infinite-loop): step changes m
    if (m > 0) step(integral_constant<int, 1>{});
  }
  template <int Columns> static void all_rows(block_numbers<T, Sum> n, std::int64_t m) {
    auto step = [&](int r) {
      m -= r;
      n.a.at += r * n.a.free;
      n.c += r * n.c_row;
      if (n.start) n.start += r * n.c_row;
    };
    if constexpr (simd && Columns == columns)
      if (n.kept) {  // there are more rows than these
        block_of<rows, Columns, true>(n);
        n.b = {n.kept, 1, columns};
        step(rows);
      }
    if constexpr (simd && Columns == columns)
      for (; m >= rows && n.ahead && n.ahead->at(); n.ahead->pass(n.k))
        block_of<rows, Columns, false, true>(n), step(rows);
    while (m >= rows) block_of<rows, Columns>(n), step(rows);
    if constexpr (rows > 8)
      if (m >= 8) block_of<8, Columns>(n), step(8);
    while (m >= 4) block_of<4, Columns>(n), step(4);  // NOLINT(bugprone-infinite-loop): step changes m
    while (m >= 2) block_of<2, Columns>(n), step(2);  // NOLINT(bugprone-infinite-loop): step changes m
    if (m > 0) block_of<1, Columns>(n);
  }

#if defined(ETNA_HAS_SIMD)
  // The first n of a vector.
  static auto first(std::int64_t n) {
    return xsimd::batch_bool<typename V::value_type>::from_mask(
        (std::uint64_t(1) << std::clamp<std::int64_t>(n, 0, width)) - 1);
  }
  template <class From> static V load(From const* p, std::int64_t n) {
    if constexpr (std::is_same_v<From, Sum>)
      return n >= width ? V::load_unaligned(p) : V::load(p, first(n), xsimd::unaligned_mode());
    else {
      if (n >= width) return conversion<sizeof(Sum)>::load(p);
      From some[width]{};
      for (std::int64_t i = 0; i < n; ++i) some[i] = p[i];
      return conversion<sizeof(Sum)>::load(some);
    }
  }
  static void store(V const& v, Sum* p, std::int64_t n) {
    if (n >= width) v.store_unaligned(p);
    else v.store(p, first(n), xsimd::unaligned_mode());
  }
  // A vector of lanes of each step: `count` are there, `room` is for them.
  template <class From> static void copy(walk<From> const& from, std::int64_t k, std::int64_t count, std::int64_t size,
                                         std::int64_t room, T* to) {
    for (std::int64_t x = 0; x < k; ++x) store(load(from.at + x * from.sum, count), to + x * size, room);
  }
  // The same where the steps of a lane follow each other: tiles, transposed.
  template <class From> static void transpose_tile(walk<From> const& from, std::int64_t k, std::int64_t count,
                                                   std::int64_t size, std::int64_t room, T* to) {
    for (std::int64_t x = 0; x < k; x += width) {
      V tile[width];
      ETNA_UNROLL for (int i = 0; i < width; ++i) tile[i] =
          i < count ? load(from.at + i * from.free + x, k - x) : V(Sum(0));
      xsimd::transpose(tile, tile + width);
      ETNA_UNROLL for (int i = 0; i < width; ++i) if (x + i < k) store(tile[i], to + (x + i) * size, room);
    }
  }

  // Rows of which some lanes of the last vector are wanted.
  template <int R, int Parts> ETNA_FN_INLINE static void put_some(block_numbers<T, Sum> const& n, V (&sums)[R][Parts]) {
    static_assert(Parts <= 2);
    constexpr int last = (Parts - 1) * width;
    auto const wanted = first(n.lanes - last);
    V const scale(n.scale);
    ETNA_UNROLL for (int r = 0; r < R; ++r) {
      Sum* const to = n.c + r * n.c_row;
      V* const row = sums[r];
      if (n.start) {
        Sum const* const from = n.start + r * n.c_row;
        if constexpr (Parts > 1) row[0] = math::mad(row[0], scale, V(V::load_unaligned(from)));
        row[Parts - 1] = math::mad(row[Parts - 1], scale, V(V::load(from + last, wanted, xsimd::unaligned_mode())));
      }
      if constexpr (Parts > 1) row[0].store_unaligned(to);
      row[Parts - 1].store(to + last, wanted, xsimd::unaligned_mode());
    }
  }
  // Sums of `count` lanes from j on, of row r.
  ETNA_FN_INLINE static void put_vector(block_numbers<T, Sum> const& n, V const& sums, int r, std::int64_t j,
                                        std::int64_t count) {
    std::int64_t const at = r * n.c_row + j * n.c_lane;
    store(n.start ? math::mad(sums, V(n.scale), V(load(n.start + at, count))) : sums, n.c + at, count);
  }
  // Sums that went through memory: where fewer lanes are wanted than a panel has, and where the rows of a result
  // follow each other in memory. One function each, for blocks of all sizes.
  ETNA_NOINLINE static void put_rows(block_numbers<T, Sum> const& n, Sum const* sums, int rows, int columns) {
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < columns; j += width)
        put_vector(n, V::load_aligned(sums + r * columns + j), r, j, n.lanes - j);
  }
  ETNA_NOINLINE static void put_turned(block_numbers<T, Sum> const& n, Sum const* sums, int rows, int columns) {
    for (int p = 0; p < columns; p += width) {
      V tile[width];
      ETNA_UNROLL for (int r = 0; r < width; ++r) tile[r] =
          r < rows ? V::load_aligned(sums + r * columns + p) : V(Sum(0));
      xsimd::transpose(tile, tile + width);
      for (int j = 0; j < width && p + j < n.lanes; ++j) put_vector(n, tile[j], 0, p + j, rows);
    }
  }
#endif
  // A function of its own: inlined, g++ keeps sums on the stack. What reads them is unrolled for the same reason. The
  // later rows have a pointer of their own: the few distances from one of two pointers stay in registers.
  template <int R, int Columns, bool Keep = false, bool Ahead = false, bool Folded = false>
  ETNA_NOINLINE static void block_of(block_numbers<T, Sum> const& n) {
#if defined(ETNA_HAS_SIMD)
    if constexpr (simd) {
      constexpr int parts = Columns / width, half = R > 8 ? R / 2 : R;
      std::int64_t const a_row = Folded ? 0 : n.a.free, a_step = Folded ? 0 : n.a.sum, b_step = n.b.sum, k = n.k;
      T const *a = n.a.at, *late = a + half * a_row, *b = n.b.at;
      V acc[R][parts];
      ETNA_UNROLL for (int r = 0; r < R; ++r) ETNA_UNROLL for (int p = 0; p < parts; ++p) acc[r][p] = V(Sum(0));
      T const* folded[R];  // unread where it is not
      ETNA_UNROLL for (int r = 0; r < R; ++r) folded[r] = Folded ? a + n.a.free_at[r] : a;
      [[maybe_unused]] char const* const ahead = Ahead ? n.ahead->at() : nullptr;
      ETNA_ONE_AT_A_TIME for (std::int64_t x = 0; x < k; ++x) {
        if constexpr (Ahead) __builtin_prefetch(ahead + x * prefetch_list::line);
        V row[parts];
        ETNA_UNROLL for (int p = 0; p < parts; ++p) row[p] = steps::load(b + x * b_step + p * width);
        if constexpr (Keep) ETNA_UNROLL for (int p = 0; p < parts; ++p) {
            __builtin_prefetch(b + (x + tuning::gemm::steps_ahead) * b_step + p * width);
            steps::store(row[p], n.kept + x * Columns + p * width);
          }
        ETNA_UNROLL for (int r = 0; r < R; ++r) {
          V const s = steps::spread(Folded     ? folded[r][n.a.sum_at[x]]
                                    : r < half ? a[r * a_row]
                                               : late[(r - half) * a_row]);
          ETNA_UNROLL for (int p = 0; p < parts; ++p) acc[r][p] = steps::add(s, row[p], acc[r][p]);
        }
        if constexpr (!Folded) a += a_step, late += a_step;
      }
      V const scale(n.scale);
      if (n.c_lane == 1 && n.lanes == Columns && n.start) {
        ETNA_UNROLL for (int r = 0; r < R; ++r) ETNA_UNROLL for (int p = 0; p < parts; ++p) {
          std::int64_t const at = r * n.c_row + p * width;
          math::mad(acc[r][p], scale, V(V::load_unaligned(n.start + at))).store_unaligned(n.c + at);
        }
      } else if (n.c_lane == 1 && n.lanes == Columns) {
        ETNA_UNROLL for (int r = 0; r < R; ++r) ETNA_UNROLL for (int p = 0; p < parts; ++p) acc[r][p].store_unaligned(
            n.c + r * n.c_row + p * width);
      } else if (!Keep && !Ahead && n.c_lane == 1) {
        put_some(n, acc);
      } else {
        alignas(64) Sum sums[R][Columns];
        ETNA_UNROLL for (int r = 0; r < R; ++r) ETNA_UNROLL for (int p = 0; p < parts; ++p) acc[r][p].store_aligned(
            sums[r] + p * width);
        if (n.c_lane == 1) put_rows(n, sums[0], R, Columns);
        else if (R > 4 && R <= width) put_turned(n, sums[0], R, Columns);
        else put(n, sums[0], R, Columns);
      }
    } else
#endif
      plain_block_of<R, Columns, Folded>(n);
  }
  template <int R, int Columns, bool Folded> ETNA_FN_INLINE static void plain_block_of(block_numbers<T, Sum> const& n) {
    using W = ops::wrapping<Sum>;
    Sum acc[R][Columns] = {};
    for (std::int64_t x = 0; x < n.k; ++x)
      for (int r = 0; r < R; ++r)
        for (int j = 0; j < Columns; ++j)
          acc[r][j] =
              Sum(W(acc[r][j]) + W(n.a.at[Folded ? n.a.free_at[r] + n.a.sum_at[x] : r * n.a.free + x * n.a.sum]) *
                                     W(n.b.at[x * n.b.sum + j]));
    put(n, acc[0], R, Columns);
  }
  ETNA_NOINLINE static void put(block_numbers<T, Sum> const& n, Sum const* sums, int rows, int columns) {
    using W = ops::wrapping<Sum>;  // integers wrap
    for (int r = 0; r < rows; ++r)
      for (std::int64_t j = 0; j < n.lanes; ++j) {
        std::int64_t const at = r * n.c_row + j * n.c_lane;
        Sum const sum = sums[r * columns + j];
        if constexpr (std::is_floating_point_v<Sum>)  // rounded once, as in a kernel of its own
          n.c[at] = n.start ? math::mad(sum, n.scale, n.start[at]) : sum * n.scale;
        else {
          W const part = W(sum) * W(n.scale);
          n.c[at] = Sum(n.start ? W(n.start[at]) + part : part);
        }
      }
  }
};

}  // namespace etna::lower
