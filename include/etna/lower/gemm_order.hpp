// SPDX-License-Identifier: BSD-3-Clause
// What the walks over a product's blocks share, whatever is packed: which operand gives rows and which lanes, how the
// results are shared out, and the order of the shares. Read next: gemm.hpp.
#pragma once
#include <etna/array/storage.hpp>

#include "gemm_batch.hpp"

namespace etna::lower {

/// Memory for panels, or for sums (Nth 1), one for each thread, kept.
template <int Nth = 0> inline void* panel_memory(std::size_t bytes) {
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

/// T: elements of the operands; Block: of whose size blocks are. Folds: may an axis of an operand be folded?
template <class T, class Sum, class Block, bool Folds> struct gemm_order {
  static constexpr std::int64_t columns = Block::columns, rows = Block::rows;

  walk<T> a, b;  // rows and lanes: a and b, or b and a
  operand_folds const *a_folds = nullptr, *b_folds = nullptr;
  std::int64_t first_a = 0, first_b = 0;  // of a folded operand: which row (or lane) of all comes first,
  std::int64_t first_sum;                 // and which term
  Sum* c;
  Sum const* start;
  Sum scale;
  std::int64_t batch, a_batch, b_batch, c_batch, c_row, c_lane, m, n, k;
  std::int64_t rows_in_unit = 0, row_blocks = 0, panels = 0, steps;
  bool by_rows = false;

  /// Some of the products of a batch, or of the rows of one.
  static gemm_numbers rounds(gemm_numbers p, std::int64_t from, std::int64_t to) {
    bool const one = p.batch == 1;
    auto past = [&](auto*& of, std::int64_t elements) {
      if (of) of = static_cast<T const*>(of) + elements;  // without elements it may be nowhere
    };
    if (Folds && one && p.folds && p.folds[0].are_there()) p.first_row += from;
    else past(p.a, from * (one ? p.a_m : p.a_batch));
    past(p.b, one ? 0 : from * p.b_batch);
    std::int64_t const results = from * (one ? p.n : p.m * p.n);
    p.c = static_cast<Sum*>(p.c) + results;
    if (p.start) p.start = static_cast<Sum const*>(p.start) + results;
    p.prefetch = nullptr;
    (one ? p.m : p.batch) = to - from;
    return p;
  }

  /// Terms [from, to) of all sums, as a product that is added to nothing.
  static gemm_numbers terms(gemm_numbers p, std::int64_t from, std::int64_t to) {
    auto past = [&](int side, void const*& of, std::int64_t stride) {
      if (!Folds || !p.folds || !p.folds[side].are_there()) of = static_cast<T const*>(of) + from * stride;
    };
    past(0, p.a, p.a_k);
    past(1, p.b, p.b_k);
    p.first_sum += from;
    p.k = to - from;
    p.start = nullptr;
    p.prefetch = nullptr;
    return p;
  }

 protected:
  /// operations  operations(m, n, b): vector operations for one step of all sums, where b has the lanes
  template <class F> gemm_order(gemm_numbers const& p, F const& operations)
      : a{static_cast<T const*>(p.a), p.a_m, p.a_k},
        b{static_cast<T const*>(p.b), p.b_n, p.b_k},
        first_sum(p.first_sum),
        c(static_cast<Sum*>(p.c)),
        start(static_cast<Sum const*>(p.start)),
        scale(p.start ? p.template scale<Sum>() : Sum(1)),
        batch(p.batch),
        a_batch(p.a_batch),
        b_batch(p.b_batch),
        c_batch(p.m * p.n),
        c_row(p.n),
        c_lane(1),
        m(p.m),
        n(p.n),
        k(p.k),
        steps(p.k <= tuning::gemm::sums_at_once + tuning::gemm::sums_at_once / 2 ? p.k : tuning::gemm::sums_at_once) {
    if (Folds && p.folds) {
      if (p.folds[0].are_there()) a_folds = p.folds, first_a = p.first_row;
      if (p.folds[1].are_there()) b_folds = p.folds + 1;
    }
    // results that are transposed cost about one operation each
    if (Block::simd && k > 0 && operations(n, m, a) + double(m) * double(n) / double(k) < operations(m, n, b)) {
      std::swap(a, b);
      std::swap(a_folds, b_folds);
      std::swap(first_a, first_b);
      std::swap(a_batch, b_batch);
      std::swap(m, n);
      std::swap(c_row, c_lane);
    }
    // Are shares groups of rows, or of lanes? So that each thread reads only a part of the larger operand. Where both
    // are of one size, and where many results are added to something, shares are rows of the results: the next step,
    // or the next call, divides them in the same way and finds them in its cache. But every share of rows packs all
    // panels for itself, so it must have some rows.
    bool const of_results = m == n || (start && batch == 1 && p.m >= 16 * rows);
    by_rows = (of_results ? c_lane == 1 : m > n) && m >= 32 * p.shares;
    rows_in_unit = by_rows ? 8 : 2 * rows;
    row_blocks = (m + rows_in_unit - 1) / rows_in_unit;
    panels = (n + columns - 1) / columns;
  }
  std::int64_t all_units() const { return batch * row_blocks * panels; }
  /// Units [from, to) as parts: part(q, i0, i1, j0, j1), rows times lanes of product q.
  template <class F> void each_part(std::int64_t from, std::int64_t to, F const& part) const {
    std::int64_t const inner = by_rows ? panels : row_blocks, outer = by_rows ? row_blocks : panels;
    while (from < to) {
      std::int64_t const x = from % inner, y = from / inner % outer, q = from / inner / outer;
      std::int64_t const along = std::min(inner - x, to - from),
                         over = along == inner ? std::min((to - from) / inner, outer - y) : 1;
      std::int64_t i = x, down = along, j = y, across = over;
      if (by_rows) std::swap(i, j), std::swap(down, across);
      part(q, i * rows_in_unit, std::min((i + down) * rows_in_unit, m), j * columns,
           std::min((j + across) * columns, n));
      from += down * across;
    }
  }
  /// Sums of nothing. Operands without elements may be nowhere.
  void put_start(std::int64_t q, std::int64_t i0, std::int64_t i1, std::int64_t j0, std::int64_t j1) const {
    for (std::int64_t i = i0; i < i1; ++i)
      for (std::int64_t j = j0; j < j1; ++j) {
        std::int64_t const at = q * c_batch + i * c_row + j * c_lane;
        c[at] = start ? start[at] : Sum(0);
      }
  }
  /// Sums of several pieces that are added to something are complete before they are: each piece would be rounded to
  /// what is there, a weight for example, of which its update is a small part. (Integers are not rounded.)
  bool joins_when_complete() const { return std::is_floating_point_v<Sum> && start && k > steps; }
  /// Rows times lanes of product q, some at a time: one(rows, lanes) computes these sums, as those of `some` from its
  /// first on, and they are added.
  template <class F> void join_when_complete(gemm_order& some, std::int64_t q, std::int64_t i0, std::int64_t i1,
                                             std::int64_t j0, std::int64_t j1, F const& one) const {
    constexpr std::int64_t least = tuning::gemm::sums_at_once, most = tuning::gemm::packed_panels / sizeof(Sum);
    std::int64_t const wide = std::min(j1 - j0, least / columns * columns),
                       high = std::min(i1 - i0, std::max(most / wide, least) / rows * rows);
    bool const by_rows_of_c = c_lane == 1;  // the sums lie as the results do
    some.c = static_cast<Sum*>(panel_memory<1>(std::size_t(high * wide) * sizeof(Sum)));
    some.start = nullptr;
    some.scale = Sum(1);
    for (std::int64_t i = i0; i < i1; i += high)
      for (std::int64_t j = j0; j < j1; j += wide) {
        std::int64_t const h = std::min(high, i1 - i), w = std::min(wide, j1 - j);
        some.a.at = a.at + q * a_batch + (a_folds ? 0 : i * a.free);
        some.b.at = b.at + q * b_batch + (b_folds ? 0 : j * b.free);
        some.first_a = first_a + i;  // read where it is folded
        some.first_b = first_b + j;
        some.c_row = by_rows_of_c ? w : 1;
        some.c_lane = by_rows_of_c ? 1 : h;
        one(h, w);
        std::int64_t const to = q * c_batch + i * c_row + j * c_lane, lines = by_rows_of_c ? h : w,
                           length = by_rows_of_c ? w : h, apart = by_rows_of_c ? c_row : c_lane;
        for (std::int64_t line = 0; line < lines; ++line)
          for (std::int64_t x = 0; x < length; ++x) {
            std::int64_t const at = to + line * apart + x;
            c[at] = math::mad(some.c[line * length + x], scale, start[at]);
          }
      }
  }
  /// Steps of sums from x on, of rows [i0, i1) and lanes [j0, j1) of product q.
  struct piece {
    std::int64_t q, x, i0, i1, j0, j1;
  };
};

}  // namespace etna::lower
