// SPDX-License-Identifier: BSD-3-Clause
// Matrix products for any strides, batched: which operand's free axis lies along vectors, what is packed, and in what
// order blocks come. Each sum is one chain in the order of k, the same for all shares and both operands' roles (a long
// k: chains of tuning::gemm::sums_at_once, added), so bits depend on the sizes alone. Read next: scatter.hpp.
#pragma once
#include <etna/array/storage.hpp>

#include "gemm_batch.hpp"

namespace etna::lower {

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

/// Folds: may an axis of an operand be folded?
template <class T, class Sum, bool Folds = false> class gemm {
  using block = gemm_block<T, Sum>;
  using small = gemm_batch<T, Sum>;
  static constexpr std::int64_t bytes = sizeof(T), columns = block::columns, rows = block::rows;

 public:
  static std::int64_t units(gemm_numbers const& p) {
    if (small::applies(p)) return small::units(p);
    return gemm(p).all_units();
  }
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
  ETNA_NOINLINE static void run(gemm_numbers const& p, std::int64_t from, std::int64_t to) {
    if (small::applies(p)) return small::run(p, from, to);
    gemm s(p);
    prefetching ahead(p.prefetch, from, to, s.all_units());
    std::int64_t const inner = s.by_rows ? s.panels : s.row_blocks, outer = s.by_rows ? s.row_blocks : s.panels;
    while (from < to) {
      std::int64_t const x = from % inner, y = from / inner % outer, q = from / inner / outer;
      std::int64_t const along = std::min(inner - x, to - from),
                         over = along == inner ? std::min((to - from) / inner, outer - y) : 1;
      std::int64_t i = x, down = along, j = y, across = over;
      if (s.by_rows) std::swap(i, j), std::swap(down, across);
      s.part(q, i * s.rows_in_unit, std::min((i + down) * s.rows_in_unit, s.m), j * columns,
             std::min((j + across) * columns, s.n), ahead);
      from += down * across;
    }
  }

 private:
  walk<T> a, b;  // rows and lanes: a and b, or b and a
  operand_folds const *a_folds = nullptr, *b_folds = nullptr;
  std::int64_t first_a = 0, first_b = 0;  // of a folded operand: which row (or lane) of all comes first
  Sum* c;
  Sum const* start;
  Sum scale;
  std::int64_t batch, a_batch, b_batch, c_batch, c_row, c_lane, m, n, k;
  std::int64_t rows_in_unit, row_blocks, panels, steps, rows_at_once, lanes_at_once;
  bool packs_a, packs_b, by_rows;

  explicit gemm(gemm_numbers const& p)
      : a{static_cast<T const*>(p.a), p.a_m, p.a_k},
        b{static_cast<T const*>(p.b), p.b_n, p.b_k},
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
        k(p.k) {
    if (Folds && p.folds) {
      if (p.folds[0].are_there()) a_folds = p.folds, first_a = p.first_row;
      if (p.folds[1].are_there()) b_folds = p.folds + 1;
    }
    // results that are transposed cost about one operation each
    if (block::simd && k > 0 && operations(n, m, a) + double(m) * double(n) / double(k) < operations(m, n, b)) {
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
    steps = k <= tuning::gemm::sums_at_once + tuning::gemm::sums_at_once / 2 ? k : tuning::gemm::sums_at_once;
    if (a_folds && a.sum != 1) steps = std::min(k, tuning::gemm::steps_apart);
    packs_b = b_folds || packs(m, b);
    packs_a = !a_folds && panels >= 8 && k >= 128 && a.free == 1 && a.sum * bytes >= tuning::gemm::far_rows;
    rows_at_once = packs_a || m * steps * bytes > tuning::gemm::many_rows
                       ? std::max<std::int64_t>(tuning::gemm::kept_rows / (steps * bytes * rows), 1) * rows
                       : m;
    lanes_at_once = rows_at_once < m
                        ? std::max<std::int64_t>(tuning::gemm::packed_panels / (steps * bytes * columns), 1) * columns
                        : n;
    if (a_folds) rows_at_once = std::min(rows_at_once, tuning::gemm::folded_rows / rows * rows);
  }
  std::int64_t all_units() const { return batch * row_blocks * panels; }
  static bool packs(std::int64_t m, walk<T> const& b) { return b.free != 1 || m >= tuning::gemm::rows_that_pay; }
  /// Vector operations for one step of all sums: the sums, and packing.
  static double operations(std::int64_t m, std::int64_t n, walk<T> const& b) {
    double vectors = double((n + block::width - 1) / block::width);
    double packing = b.free != 1                       ? double(n) * (b.sum == 1 ? 0.5 : 2)
                     : n % block::width || packs(m, b) ? 2 * vectors
                                                       : 0;
    return double(m) * vectors + packing;
  }

  /// Where a share's packed panels are: of b some, one behind the other, then of a those of some rows.
  struct packed {
    T *b = nullptr, *a = nullptr;
    std::int64_t *of_b = nullptr, *of_a = nullptr;  // tables of folded operands: of a panel, of some rows
    std::int64_t panel, kept;  // elements of a panel of b, and how many are kept for all of the share's rows
    bool by_first_rows;        // b is read where it is, and the first rows leave a panel for the others
  };
  packed memory_for(std::int64_t m, std::int64_t n) const {
    std::int64_t const panel = steps * columns, span = std::min(lanes_at_once, n);
    packed to;
    to.panel = panel;
    to.kept = m > rows_at_once ? (span + columns - 1) / columns : 1;
    to.by_first_rows = !packs_b && !packs_a && m > 2 * rows && b.sum * bytes >= tuning::gemm::far_steps;
    std::int64_t const high = packs_a ? std::min(rows_at_once, (m + rows - 1) / rows * rows) : 0;
    std::int64_t const places_b = b_folds ? columns + steps : 0,
                       places_a = a_folds ? std::min(rows_at_once, m) + steps : 0;
    if (packs_a || packs_b || to.by_first_rows || n % columns != 0 || places_a > 0) {
      std::int64_t const elements = (to.kept * panel + high * steps + 7) / 8 * 8;
      to.b = static_cast<T*>(
          panel_memory(std::size_t(elements * bytes + (places_a + places_b) * std::int64_t(sizeof(std::int64_t)))));
      to.a = to.b + to.kept * panel;
      to.of_b = reinterpret_cast<std::int64_t*>(to.b + elements);
      to.of_a = to.of_b + places_b;
    }
    return to;
  }
  /// Rows [i0, i1) times lanes [j0, j1) of one product.
  void part(std::int64_t q, std::int64_t i0, std::int64_t i1, std::int64_t j0, std::int64_t j1,
            prefetching& ahead) const {
    if (k == 0) return put_start(q, i0, i1, j0, j1);
    packed const to = memory_for(i1 - i0, j1 - j0);
    for (std::int64_t jj = j0; jj < j1; jj += lanes_at_once)
      for (std::int64_t x = 0; x < k; x += steps)
        for (std::int64_t ii = i0; ii < i1; ii += rows_at_once)
          some_steps(to, {q, x, ii, std::min(ii + rows_at_once, i1), jj, std::min(jj + lanes_at_once, j1)}, ii == i0,
                     ahead);
  }
  /// Sums of nothing. Operands without elements may be nowhere.
  void put_start(std::int64_t q, std::int64_t i0, std::int64_t i1, std::int64_t j0, std::int64_t j1) const {
    for (std::int64_t i = i0; i < i1; ++i)
      for (std::int64_t j = j0; j < j1; ++j) {
        std::int64_t const at = q * c_batch + i * c_row + j * c_lane;
        c[at] = start ? start[at] : Sum(0);
      }
  }
  /// Steps of sums from x on, of rows [i0, i1) and lanes [j0, j1) of product q.
  struct piece {
    std::int64_t q, x, i0, i1, j0, j1;
  };
  /// Panels of b are packed with the first rows, and read by all.
  ETNA_FN_INLINE void some_steps(packed const& to, piece const& p, bool first_rows, prefetching& ahead) const {
    std::int64_t const kk = std::min(steps, k - p.x), step = packs_a ? rows : p.i1 - p.i0;
    walk<T> const a_rows{a.at + p.q * a_batch, a.free, a.sum}, b_lanes{b.at + p.q * b_batch, b.free, b.sum};
    walk<T> a_folded = a_rows;
    if constexpr (Folds)
      if (a_folds) a_folded = by_tables(a_rows, *a_folds, first_a + p.i0, p.i1 - p.i0, p.x, kk, to.of_a);
    if (packs_a)
      for (std::int64_t i = p.i0; i < p.i1; i += rows)
        block::pack(a_rows.from(i, p.x), kk, std::min(rows, p.i1 - i), rows, to.a + (i - p.i0) * kk);
    for (std::int64_t j = p.j0; j < p.j1; j += columns) {
      std::int64_t const lanes = std::min(columns, p.j1 - j);
      walk<T> w = b_lanes.from(j, p.x);
      if (packs_b || lanes < columns) {
        T* panel = to.b + (to.kept > 1 ? (j - p.j0) / columns * to.panel : 0);
        std::int64_t const size = block::simd && lanes <= block::width ? block::width : columns;
        if (Folds && first_rows && b_folds) {
          if constexpr (Folds)
            block::pack_folded(by_tables(b_lanes, *b_folds, first_b + j, lanes, p.x, kk, to.of_b), kk, lanes, size,
                               panel);
        } else if (first_rows) block::pack(w, kk, lanes, size, panel);
        w = {panel, 1, size};
      }
      for (std::int64_t i = p.i0; i < p.i1; i += step) {
        walk<T> const v = packs_a ? walk<T>{to.a + (i - p.i0) * kk, 1, rows} : a_folds ? a_folded : a_rows.from(i, p.x);
        std::int64_t const at = p.q * c_batch + i * c_row + j * c_lane;
        // later steps are added to the sums of earlier ones
        Sum const* const from = p.x > 0 ? c + at : start ? start + at : nullptr;
        block::template run<Folds>({v, w, c + at, c_row, c_lane, lanes, kk, from, scale,
                                    w.at == to.b || !to.by_first_rows ? nullptr : to.b, &ahead},
                                   std::min(step, p.i1 - i));
      }
    }
  }
};

}  // namespace etna::lower
