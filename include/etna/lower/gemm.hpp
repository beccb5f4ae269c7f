// SPDX-License-Identifier: BSD-3-Clause
// Matrix products for any strides, batched: which operand's free axis lies along vectors, what is packed, and in what
// order blocks come. Each sum is one chain in the order of k, the same for all shares and both operands' roles (a long
// k: chains of tuning::gemm::sums_at_once, added), so bits depend on the sizes alone. Read next: scatter.hpp.
#pragma once
#include "gemm_order.hpp"

namespace etna::lower {

template <class T, class Sum, bool Folds = false> class gemm : gemm_order<T, Sum, gemm_block<T, Sum>, Folds> {
  using block = gemm_block<T, Sum>;
  using small = gemm_batch<T, Sum>;
  using order = gemm_order<T, Sum, block, Folds>;
  using order::a, order::b, order::a_folds, order::b_folds, order::first_a, order::first_b, order::first_sum, order::c,
      order::start, order::scale, order::a_batch, order::b_batch, order::c_batch, order::c_row, order::c_lane, order::m,
      order::n, order::k, order::panels, order::steps, order::columns, order::rows;
  using typename order::piece;
  static constexpr std::int64_t bytes = sizeof(T);

 public:
  using order::rounds, order::terms;
  static std::int64_t units(gemm_numbers const& p) {
    if (small::applies(p)) return small::units(p);
    return gemm(p).all_units();
  }
  ETNA_NOINLINE static void run(gemm_numbers const& p, std::int64_t from, std::int64_t to) {
    if (small::applies(p)) return small::run(p, from, to);
    gemm s(p);
    prefetching ahead(p.prefetch, from, to, s.all_units());
    s.each_part(from, to, [&](auto... at) { s.part(at..., ahead); });
  }

 private:
  std::int64_t rows_at_once, lanes_at_once;
  bool packs_a, packs_b;

  explicit gemm(gemm_numbers const& p) : order(p, operations) {
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
  static bool packs(std::int64_t m, walk<T> const& b) { return b.free != 1 || m >= tuning::gemm::rows_that_pay; }
  /// Vector operations for one step of all sums: the sums, and packing.
  static double operations(std::int64_t m, std::int64_t n, walk<T> const& b) {
    std::int64_t const registers = (n + block::width - 1) / block::width;
    double vectors = double(registers);
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
    if (k == 0) return order::put_start(q, i0, i1, j0, j1);
    if (order::joins_when_complete()) {
      gemm some = *this;
      return order::join_when_complete(some, q, i0, i1, j0, j1,
                                       [&](auto h, auto w) { some.part(0, 0, h, 0, w, ahead); });
    }
    packed const to = memory_for(i1 - i0, j1 - j0);
    for (std::int64_t jj = j0; jj < j1; jj += lanes_at_once)
      for (std::int64_t x = 0; x < k; x += steps)
        for (std::int64_t ii = i0; ii < i1; ii += rows_at_once)
          some_steps(to, {q, x, ii, std::min(ii + rows_at_once, i1), jj, std::min(jj + lanes_at_once, j1)}, ii == i0,
                     ahead);
  }
  /// Panels of b are packed with the first rows, and read by all.
  ETNA_FN_INLINE void some_steps(packed const& to, piece const& p, bool first_rows, prefetching& ahead) const {
    std::int64_t const kk = std::min(steps, k - p.x), step = packs_a ? rows : p.i1 - p.i0;
    walk<T> const a_rows{a.at + p.q * a_batch, a.free, a.sum}, b_lanes{b.at + p.q * b_batch, b.free, b.sum};
    walk<T> a_folded = a_rows;
    if constexpr (Folds)
      if (a_folds) a_folded = by_tables(a_rows, *a_folds, first_a + p.i0, p.i1 - p.i0, first_sum + p.x, kk, to.of_a);
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
            block::pack_folded(by_tables(b_lanes, *b_folds, first_b + j, lanes, first_sum + p.x, kk, to.of_b), kk,
                               lanes, size, panel);
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
