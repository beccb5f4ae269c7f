// SPDX-License-Identifier: BSD-3-Clause
// Products of numbers of 16 bits with sums in f32: panels of both operands are converted as they are copied, so memory
// is read as it lies. Where AVX512-BF16 is there, panels have pairs of bf16 and nothing is converted. Sums are those
// of gemm.hpp, in the same order; those of pairs are rounded otherwise. Read next: gemm_parts.hpp.
#pragma once
#include "gemm.hpp"
#include "narrow_panel.hpp"

namespace etna::lower {

template <class T, class Sum, bool Folds = false, bool Pairs = tuning::narrow::bf16_pairs&& std::is_same_v<T, bfloat16>>
class gemm_narrow : gemm_order<T, Sum, gemm_block<std::conditional_t<Pairs, bf16_pair, float>, Sum>, Folds> {
  using E = std::conditional_t<Pairs, bf16_pair, float>;
  using block = gemm_block<E, Sum>;
  using panel = narrow_panel<T, E>;
  using order = gemm_order<T, Sum, block, Folds>;
  using order::a, order::b, order::a_folds, order::b_folds, order::first_a, order::first_b, order::first_sum, order::c,
      order::start, order::scale, order::a_batch, order::b_batch, order::c_row, order::c_lane, order::c_batch, order::k,
      order::steps, order::columns, order::rows;
  using typename order::piece;
  static_assert(std::is_same_v<Sum, float>);
  static constexpr std::int64_t bytes = sizeof(E), lane = block::width;

 public:
  using order::rounds, order::terms;
  static std::int64_t units(gemm_numbers const& p) { return gemm_narrow(p).all_units(); }
  ETNA_NOINLINE static void run(gemm_numbers const& p, std::int64_t from, std::int64_t to) {
    gemm_narrow const s(p);
    s.each_part(from, to, [&](auto... at) { s.part(at...); });
  }

 private:
  std::int64_t rows_at_once, lanes_at_once;

  explicit gemm_narrow(gemm_numbers const& p) : order(p, vectors) {
    std::int64_t const in_step = panel::elements(std::max<std::int64_t>(steps, 1)) * bytes;
    rows_at_once = std::max<std::int64_t>(tuning::gemm::kept_rows / (in_step * rows), 1) * rows;
    lanes_at_once = std::max<std::int64_t>(tuning::gemm::packed_panels / (in_step * columns), 1) * columns;
  }
  /// Vector operations of a step of all sums. Both operands are packed, whatever their strides.
  static double vectors(std::int64_t m, std::int64_t n, walk<T> const&) {
    return double(m) * double((n + block::width - 1) / block::width);
  }

  /// Where a share's panels are: of b some, one behind the other, then of a those of some rows.
  struct packed {
    E *b, *a;
    std::int64_t *of_b, *of_a;  // tables of folded operands: of a panel, of some rows
    std::int64_t panel;         // elements of a panel of b
    bool kept;                  // one for each of the lanes
  };
  static std::int64_t rounded(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }
  packed memory_for(std::int64_t m, std::int64_t n) const {
    std::int64_t const high = std::min(rows_at_once, m), wide = std::min(lanes_at_once, rounded(n, columns)),
                       in_step = panel::elements(steps);
    packed to;
    to.panel = in_step * columns;
    to.kept = m > rows_at_once;
    std::int64_t const of_b = to.kept ? wide * in_step : to.panel,
                       of_a = std::max(rounded(high, lane) * in_step, high * rounded(in_step, lane)),
                       elements = rounded(of_b + of_a, 16), places_b = b_folds ? columns + steps : 0,
                       places_a = a_folds ? high + steps : 0;
    to.b = static_cast<E*>(
        panel_memory(std::size_t(elements * bytes + (places_a + places_b) * std::int64_t(sizeof(std::int64_t)))));
    to.a = to.b + of_b;
    to.of_b = reinterpret_cast<std::int64_t*>(to.b + elements);
    to.of_a = to.of_b + places_b;
    return to;
  }
  /// Rows [i0, i1) times lanes [j0, j1) of one product.
  void part(std::int64_t q, std::int64_t i0, std::int64_t i1, std::int64_t j0, std::int64_t j1) const {
    if (k == 0) return order::put_start(q, i0, i1, j0, j1);
    if (order::joins_when_complete()) {
      gemm_narrow some = *this;
      return order::join_when_complete(some, q, i0, i1, j0, j1, [&](auto h, auto w) { some.part(0, 0, h, 0, w); });
    }
    packed const to = memory_for(i1 - i0, j1 - j0);
    for (std::int64_t jj = j0; jj < j1; jj += lanes_at_once)
      for (std::int64_t x = 0; x < k; x += steps)
        for (std::int64_t ii = i0; ii < i1; ii += rows_at_once)
          some_steps(to, {q, x, ii, std::min(ii + rows_at_once, i1), jj, std::min(jj + lanes_at_once, j1)}, ii == i0);
  }
  /// Rows or lanes from i on, and steps from x on: perhaps by tables.
  walk<T> part_of(walk<T> const& w, operand_folds const* folds, std::int64_t first, std::int64_t i, std::int64_t count,
                  std::int64_t x, std::int64_t k, std::int64_t* table) const {
    if constexpr (Folds)
      if (folds) return by_tables(w, *folds, first + i, count, first_sum + x, k, table);
    return w.from(i, x);
  }
  /// Rows as a panel.
  walk<E> packed_rows(walk<T> const& w, std::int64_t k, std::int64_t count, E* to) const {
    bool const by_rows = w.free_at ? panel::lie_by_rows(w, k, count) : w.sum != 1 && w.free == 1;
    if (by_rows) {
      std::int64_t const size = rounded(count, lane);
      panel::lanes(w, k, count, size, to);
      return {to, 1, size};
    }
    std::int64_t const size = is_pair<E> ? panel::elements(k) : rounded(k, lane);
    panel::rows(w, k, count, size, to);
    return {to, size, 1};
  }
  /// Panels of b are packed with the first rows, and read by all.
  ETNA_FN_INLINE void some_steps(packed const& to, piece const& p, bool first_rows) const {
    std::int64_t const kk = std::min(steps, k - p.x), high = p.i1 - p.i0;
    walk<T> const all_rows{a.at + p.q * a_batch, a.free, a.sum}, all_lanes{b.at + p.q * b_batch, b.free, b.sum};
    walk<E> const v = packed_rows(part_of(all_rows, a_folds, first_a, p.i0, high, p.x, kk, to.of_a), kk, high, to.a);
    for (std::int64_t j = p.j0; j < p.j1; j += columns) {
      std::int64_t const lanes = std::min(columns, p.j1 - j);
      E* const mine = to.b + (to.kept ? (j - p.j0) / columns * to.panel : 0);
      std::int64_t const size = block::simd && lanes <= block::width ? block::width : columns;
      if (first_rows)
        panel::lanes(part_of(all_lanes, b_folds, first_b, j, lanes, p.x, kk, to.of_b), kk, lanes, size, mine);
      std::int64_t const at = p.q * c_batch + p.i0 * c_row + j * c_lane;
      // later steps are added to the sums of earlier ones
      Sum const* const from = p.x > 0 ? c + at : start ? start + at : nullptr;
      block::template run<false>({v, {mine, 1, size}, c + at, c_row, c_lane, lanes, panel::elements(kk), from, scale},
                                 high);
    }
  }
};

/// The product of elements T with sums Sum.
template <class T, class Sum, bool Folds> struct gemm_of : std::type_identity<gemm<T, Sum, Folds>> {};
template <class Sum, bool Folds> struct gemm_of<bfloat16, Sum, Folds>
    : std::type_identity<gemm_narrow<bfloat16, Sum, Folds>> {};
template <class Sum, bool Folds> struct gemm_of<float16, Sum, Folds>
    : std::type_identity<gemm_narrow<float16, Sum, Folds>> {};

}  // namespace etna::lower
