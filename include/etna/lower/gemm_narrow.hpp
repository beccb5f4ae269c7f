// SPDX-License-Identifier: BSD-3-Clause
// Products of numbers of 16 bits with sums in f32: panels of both operands are converted as they are copied, so memory
// is read as it lies. Where AVX512-BF16 is there, panels have pairs of bf16 and nothing is converted. Sums are those
// of gemm.hpp, in the same order; those of pairs are rounded otherwise. Read next: scatter.hpp.
#pragma once
#include "gemm.hpp"
#include "narrow_panel.hpp"

namespace etna::lower {

template <class T, class Sum, bool Folds = false, bool Pairs = tuning::narrow::bf16_pairs&& std::is_same_v<T, bfloat16>>
class gemm_narrow {
  using E = std::conditional_t<Pairs, bf16_pair, float>;
  using block = gemm_block<E, Sum>;
  using panel = narrow_panel<T, E>;
  static_assert(std::is_same_v<Sum, float>);
  static constexpr std::int64_t bytes = sizeof(E), columns = block::columns, rows = block::rows, lane = block::width;

 public:
  static std::int64_t units(gemm_numbers const& p) { return gemm_narrow(p).all_units(); }
  static gemm_numbers rounds(gemm_numbers const& p, std::int64_t from, std::int64_t to) {
    return gemm<T, Sum, Folds>::rounds(p, from, to);
  }
  ETNA_NOINLINE static void run(gemm_numbers const& p, std::int64_t from, std::int64_t to) {
    gemm_narrow const s(p);
    std::int64_t const inner = s.by_rows ? s.panels : s.row_blocks, outer = s.by_rows ? s.row_blocks : s.panels;
    while (from < to) {
      std::int64_t const x = from % inner, y = from / inner % outer, q = from / inner / outer;
      std::int64_t const along = std::min(inner - x, to - from),
                         over = along == inner ? std::min((to - from) / inner, outer - y) : 1;
      std::int64_t i = x, down = along, j = y, across = over;
      if (s.by_rows) std::swap(i, j), std::swap(down, across);
      s.part(q, i * s.rows_in_unit, std::min((i + down) * s.rows_in_unit, s.m), j * columns,
             std::min((j + across) * columns, s.n));
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
  bool by_rows;

  explicit gemm_narrow(gemm_numbers const& p)
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
    if (block::simd && k > 0 && vectors(n, m) + double(m) * double(n) / double(k) < vectors(m, n)) {
      std::swap(a, b);
      std::swap(a_folds, b_folds);
      std::swap(first_a, first_b);
      std::swap(a_batch, b_batch);
      std::swap(m, n);
      std::swap(c_row, c_lane);
    }
    // as in gemm.hpp: which operand the shares divide
    bool const of_results = m == n || (start && batch == 1 && p.m >= 16 * rows);
    by_rows = (of_results ? c_lane == 1 : m > n) && m >= 32 * p.shares;
    rows_in_unit = by_rows ? 8 : 2 * rows;
    row_blocks = (m + rows_in_unit - 1) / rows_in_unit;
    panels = (n + columns - 1) / columns;
    steps = k <= tuning::gemm::sums_at_once + tuning::gemm::sums_at_once / 2 ? k : tuning::gemm::sums_at_once;
    std::int64_t const in_step = panel::elements(std::max<std::int64_t>(steps, 1)) * bytes;
    rows_at_once = std::max<std::int64_t>(tuning::gemm::kept_rows / (in_step * rows), 1) * rows;
    lanes_at_once = std::max<std::int64_t>(tuning::gemm::packed_panels / (in_step * columns), 1) * columns;
  }
  std::int64_t all_units() const { return batch * row_blocks * panels; }
  /// Vector operations of a step of all sums.
  static double vectors(std::int64_t m, std::int64_t n) {
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
    if (k == 0) return put_start(q, i0, i1, j0, j1);
    packed const to = memory_for(i1 - i0, j1 - j0);
    for (std::int64_t jj = j0; jj < j1; jj += lanes_at_once)
      for (std::int64_t x = 0; x < k; x += steps)
        for (std::int64_t ii = i0; ii < i1; ii += rows_at_once)
          some_steps(to, {q, x, ii, std::min(ii + rows_at_once, i1), jj, std::min(jj + lanes_at_once, j1)}, ii == i0);
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
  /// Rows or lanes from i on, and steps from x on: perhaps by tables.
  static walk<T> part_of(walk<T> const& w, operand_folds const* folds, std::int64_t first, std::int64_t i,
                         std::int64_t count, std::int64_t x, std::int64_t k, std::int64_t* table) {
    if constexpr (Folds)
      if (folds) return by_tables(w, *folds, first + i, count, x, k, table);
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
