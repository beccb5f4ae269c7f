// SPDX-License-Identifier: BSD-3-Clause
// Sums along an axis that is not the innermost: a strip of columns has its sums side by side in the first cache, and
// rows are added to them as memory has them, some at once. Read next: few.hpp.
#pragma once
#include "placing.hpp"

namespace etna::lower {

template <int Phases, class Body, seen As, class Unit> struct fused<kernel<nest::columns, Phases, Body, As>, Unit>
    : placing<kernel<nest::columns, Phases, Body, As>> {
  using at = placing<kernel<nest::columns, Phases, Body, As>>;
  using at::n;
  template <class L> using values = typename at::F::template values<L>;
  using typename at::F, typename at::state, typename at::lanes, typename at::views;
  using half = typename F::half;
  template <int Nth> using S_ = typename F::template S_<Nth>;
  using elements = typename F::template elements<0>;
  using reductions = typename F::template reductions<0>;
  // Rows that are added in one go: the sums are then read and written once for all of them, and the processor fetches
  // several rows of memory side by side. Not where elements take much computation, which is what such a loop waits for.
  static constexpr int at_once = Unit::strip == 1 || F::work >= tuning::kept::dear ? 1 : tuning::loops::rows_at_once;

  /// Columns of a unit: half of a row at least are left for another thread.
  ETNA_FN static std::int64_t strip(loop_numbers const& c) {
    if constexpr (Unit::strip == 1) return 1;
    else return c.inner >= 2 * Unit::strip ? Unit::strip : c.inner >= Unit::strip ? Unit::strip / 2 : Unit::strip / 4;
  }
  ETNA_FN static std::int64_t strips(loop_numbers const& c) { return (c.inner + strip(c) - 1) / strip(c); }
  /// Long sums of few columns are divided into parts, each with sums of its own that are joined at last.
  static constexpr bool sums_join = Unit::strip > 1 && !F::has_best;
  ETNA_FN static std::int64_t rows_of_part(loop_numbers const& c) {
    constexpr std::int64_t block = tuning::loops::rows_of_block;
    return ((at::template part_of<Unit> + c.inner - 1) / c.inner + block - 1) / block * block;
  }
  ETNA_FN static std::int64_t parts(loop_numbers const& c) {
    if (!sums_join || c.inner == 0 || c.rows * strips(c) > tuning::loops::few_units) return 1;
    std::int64_t const rows = rows_of_part(c);
    return c.mid >= 2 * rows ? (c.mid + rows - 1) / rows : 1;
  }
  /// Units of work; each is computed alone, so any share of them gives the same bits.
  ETNA_FN static std::int64_t units(loop_numbers const& c) { return c.rows * strips(c) * parts(c); }
  ETNA_FN_INLINE static void run_units(loop_numbers const& c, std::int64_t from, std::int64_t to) {
    state s;
    at::begin(c, s);
    if (is_small(c) && from < to) return run_small_sums(c, s, from, to);
    std::int64_t const width = strip(c), in_strip = parts(c), rows = in_strip > 1 ? rows_of_part(c) : c.mid;
    at::each_unit(c, s, strips(c) * in_strip, from, to, [&](std::int64_t u, std::int64_t in_row) {
      std::int64_t const k = in_row / in_strip * width, end = std::min(k + width, c.inner),
                         m = in_row % in_strip * rows;
      sums mine, &total = in_strip > 1 ? static_cast<sums*>(c.sums)[u] : mine;
      add_rows(c, s, total, k, end, m, std::min(m + rows, c.mid));
      if (in_strip == 1) put_sums(s, total, k, end);
    });
  }
  ETNA_NOINLINE static void run(loop_numbers const& c, std::int64_t from, std::int64_t to) { run_units(c, from, to); }
  /// Bytes at c.sums that each unit wants, if any; then all of them are joined at last.
  static std::int64_t bytes_of_sums(loop_numbers const& c) { return parts(c) > 1 ? std::int64_t(sizeof(sums)) : 0; }
  ETNA_NOINLINE static void join_sums(loop_numbers const& c) {
    state s;
    at::begin(c, s);
    std::int64_t const width = strip(c), in_strip = parts(c);
    at::each_unit(c, s, strips(c), 0, c.rows * strips(c), [&](std::int64_t u, std::int64_t strip) {
      sums* const of = static_cast<sums*>(c.sums) + u * in_strip;
      std::int64_t const k = strip * width, end = std::min(k + width, c.inner);
      for (std::int64_t i = 1; i < in_strip; ++i) fold_sums(of[0], of[i], k, end);
      put_sums(s, of[0], k, end);
    });
  }

 private:
  /// The sums of reduction Nth, by columns.
  template <int Nth> struct row_of {
    alignas(64) element_of<S_<Nth>::d> at[Unit::strip];
  };
  template <class R> struct sums_of;
  template <int... R> struct sums_of<std::integer_sequence<int, R...>> : row_of<R>... {
    template <class L> ETNA_FN void load(values<L>& r, std::int64_t i) {
      ((r.template get<S_<R>::d>(R) = L::load(row_of<R>::at + column_of(i))), ...);
    }
    template <class L> ETNA_FN void store(values<L>& r, std::int64_t i) {
      (L::store(row_of<R>::at + column_of(i), r.template get<S_<R>::d>(R)), ...);
    }
    /// The first `count` of those from column i on are as they were before.
    template <class L> ETNA_FN void keep(values<L>& before, std::int64_t i, std::int64_t count) {
      (keep_row<L, R>(before, i, count), ...);
    }
    template <class L, int Nth> ETNA_FN void keep_row(values<L>& before, std::int64_t i, std::int64_t count) {
      alignas(64) element_of<S_<Nth>::d> lane[L::width];
      L::template store<element_of<S_<Nth>::d>>(lane, before.template get<S_<Nth>::d>(Nth));
      std::copy(lane, lane + count, row_of<Nth>::at + i);
    }
    ETNA_FN static std::int64_t column_of(std::int64_t i) {
      return Unit::strip == 1 ? 0 : i;
    }  // so that a device has it in a register
  };
  using sums = sums_of<reductions>;

  // f(lanes, k) for columns [from, to)
  template <class Each> ETNA_FN static void each(std::int64_t from, std::int64_t to, Each f) {
    std::int64_t k = from;
    for (; k + lanes::width <= to; k += lanes::width) f(lanes{}, k);
    if constexpr (lanes::width > 1)
      for (; k < to; ++k) f(one{}, k);
  }
  /// The sums of columns [from, to), after add(lanes, sum, k) has added to those from column k on. Twice: the last
  /// register ends where the row ends, and what is added to its first sums once more is forgotten. Rest: the registers
  /// for what is less than one of `lanes`.
  template <class Rest, class Add>
  ETNA_FN static void add_to_each(sums& of, std::int64_t from, std::int64_t to, bool twice, Add add) {
    std::int64_t k = from;
    auto registers = [&]<class L>(L) {
      bool last = L::width > 1 && !F::has_best && twice && to - k > L::width && (to - k) % L::width > 1;
      for (;; k += L::width) {
        std::int64_t again = 0;  // so many sums are there
        if (k + L::width > to) {
          if (!last) return;
          last = false;
          again = L::width - (to - k);
          k = to - L::width;
        }
        values<L> sum, before;
        of.template load<L>(sum, k - from);
        if (again > 0) before = sum;
        add(L{}, sum, k);
        of.template store<L>(sum, k - from);
        if (again > 0) of.template keep<L>(before, k - from, again);
      }
    };
    registers(lanes{});
    if constexpr (Rest::width > 1)
      if (k < to) registers(Rest{});
    if constexpr (lanes::width > 1)
      if (k < to) registers(one{});
  }
  template <class L, int... R> ETNA_FN static void start(values<L>& r, std::integer_sequence<int, R...>) {
    (F::template start<L, R>(r), ...);
  }
  ETNA_FN static void start(sums& of, std::int64_t from, std::int64_t to) {
    each(from, to, [&]<class L>(L, std::int64_t k) {
      values<L> r;
      start<L>(r, reductions{});
      of.template store<L>(r, k - from);
    });
  }
  template <class L, int... Nth, int... R> ETNA_FN static void add(state& s, values<L>& sum, std::int64_t k,
                                                                   std::integer_sequence<int, Nth...>,
                                                                   std::integer_sequence<int, R...>) {
    values<L> r;
    (F::template element<L, 0, false, Nth>(s, r, k), ...);
    (F::template accumulate<L, R>(s, r, sum, k), ...);
  }
  /// The next rows, each in a state of its own.
  template <int Rows> ETNA_FN static void rows(loop_numbers const& c, state* s, index_walk& mid, sums& of,
                                               std::int64_t from, std::int64_t to, bool twice) {
    for (int i = 0; i < Rows; ++i, mid.next()) at::seek(c, s[i], mid.at, views{});
    add_to_each<one>(of, from, to, twice, [&]<class L>(L, values<L>& sum, std::int64_t k) {
      if constexpr (L::width == 1 && lanes::width > 1) {  // of few columns: the code is there once
        ETNA_ROLLED for (int i = 0; i < Rows; ++i) add<L>(s[i], sum, k, elements{}, reductions{});
      } else {
        ETNA_UNROLL for (int i = 0; i < Rows; ++i) add<L>(s[i], sum, k, elements{}, reductions{});
      }
    });
  }
  // Rows of few registers: each of these walks some rows by itself, with its sums in a register.
  static constexpr bool walks_narrow_rows = Unit::strip > 1 && lanes::width > 1 && F::n_windows == 0 && !F::has_best &&
                                            n <= tuning::short_rows::walked_statements;
  // Elements that are stored are in so few lines of the cache that each walk finds them there.
  static constexpr std::int64_t narrow = [] {
    std::int64_t const most = tuning::short_rows::narrow * lanes::width;
    int const bytes = int(sizeof(typename lanes::template of<float>)) / lanes::width;  // of the widest element
    bool const stores = F::any_statement([](statement_fact const& s) { return s.at == level::element && s.outs != 0; });
    return stores ? std::min(most, tuning::short_rows::narrow_stored / bytes) : most;
  }();
  ETNA_FN static bool is_narrow(loop_numbers const& c) { return walks_narrow_rows && c.inner <= narrow; }
  /// And so few of them that all are walked for each register.
  ETNA_FN static bool is_small(loop_numbers const& c) {
    static_assert(!walks_narrow_rows || narrow <= Unit::strip / 4, "a row is a unit");
    return is_narrow(c) && c.n_outer > 0 && c.n_mid > 0 && c.mid > 0 && c.mid <= tuning::short_rows::narrow_rows;
  }
  /// Rows [begin, end) of the last reduced axis are added to the sums of columns k and behind.
  template <class L, int... J> ETNA_FN static void add_narrow(state const& first, values<L>& sum, std::int64_t k,
                                                              int last, std::int64_t begin, std::int64_t end,
                                                              std::integer_sequence<int, J...>) {
    state s = first;
    (at::template step<J>(s, begin * s.v[J].mid[last]), ...);
    for (std::int64_t m = begin;;) {
      add<L>(s, sum, k, elements{}, reductions{});
      if (++m >= end) break;
      (at::template step<J>(s, s.v[J].mid[last]), ...);
    }
  }
  ETNA_FN static void narrow_rows(state const& s, int last, std::int64_t begin, std::int64_t end, sums& of,
                                  std::int64_t from, std::int64_t to, bool twice) {
    if constexpr (walks_narrow_rows)
      for (std::int64_t m = begin; m < end; m += tuning::short_rows::narrow_rows) {
        std::int64_t const next = std::min(m + tuning::short_rows::narrow_rows, end);
        add_to_each<half>(of, from, to, twice, [&]<class L>(L, values<L>& sum, std::int64_t k) {
          add_narrow<L>(s, sum, k, last, m, next, views{});
        });
      }
  }
  /// The next rows, those of the last reduced axis in one go.
  ETNA_FN static void narrow_lines(loop_numbers const& c, state const& of_row, index_walk& mid, std::int64_t rows,
                                   sums& of, std::int64_t from, std::int64_t to, bool twice) {
    for (int const last = c.n_mid - 1; rows > 0;) {
      std::int64_t const some = std::min(rows, c.mid_extent[last] - mid.at[last]);
      state s = of_row;
      at::seek(c, s, mid.at, views{});
      narrow_rows(s, last, 0, some, of, from, to, twice);
      mid.at[last] += some - 1;
      mid.next();
      rows -= some;
    }
  }
  /// How far each view moves from one row that is added to the next, where they are few.
  struct mid_steps {
    std::int64_t by[tuning::short_rows::narrow_rows][at::n_in + at::n_out];
    ETNA_FN mid_steps(loop_numbers const& c, view_numbers const* v) {
      index_walk mid = mid_walk(c);
      for (std::int64_t m = 0; m < c.mid; ++m, mid.next()) {
        ETNA_ROLLED for (int j = 0; j < at::n_in + at::n_out; ++j) by[m][j] = mid_offset(c, v[j], mid.at);
      }
      for (std::int64_t m = c.mid - 1; m > 0; --m) {
        ETNA_ROLLED for (int j = 0; j < at::n_in + at::n_out; ++j) by[m][j] -= by[m - 1][j];
      }
    }
  };
  /// Rows [from, to) of results, each of few sums of few numbers: a register at once, with no sums in memory.
  ETNA_FN static void run_small_sums(loop_numbers const& c, state& all, std::int64_t from, std::int64_t to) {
    if constexpr (walks_narrow_rows) {
      bool const twice = !at::is_in_place(all.v);
      mid_steps const mid(c, all.v);
      at::walk_rows(
          c, all, from, to, [&](state& s) ETNA_INLINE_LAMBDA { small_sums(c, mid, s, twice, views{}); }, views{});
    }
  }
  template <int... J> ETNA_FN_INLINE static void small_sums(loop_numbers const& c, mid_steps const& mid, state& s,
                                                            bool twice, std::integer_sequence<int, J...>) {
    std::int64_t k = 0;
    auto registers = [&]<class L>(L) {
      bool again = L::width > 1 && twice && c.inner - k > L::width && (c.inner - k) % L::width > 1;
      for (;; k += L::width) {
        if (k + L::width > c.inner) {
          if (!again) return;
          again = false;
          k = c.inner - L::width;
        }
        values<L> total, sum;
        start<L>(total, reductions{});
        start<L>(sum, reductions{});
        state row = s;
        for (std::int64_t m = 0;;) {
          add<L>(row, sum, k, elements{}, reductions{});
          if (++m == c.mid) break;
          (at::template step<J>(row, mid.by[m][J]), ...);
        }
        fold<L>(total, sum, reductions{});
        put<L>(s, total, k, typename F::seq{});
      }
    };
    registers(lanes{});
    if constexpr (half::width > 1)
      if (k < c.inner) registers(half{});
    if constexpr (lanes::width > 1)
      if (k < c.inner) registers(one{});
  }
  template <class L, int... R>
  ETNA_FN static void fold(values<L>& to, values<L> const& from, std::integer_sequence<int, R...>) {
    (F::template fold<L, R>(to, from), ...);
  }
  template <class L, int... Nth>
  ETNA_FN static void put(state& s, values<L>& r, std::int64_t k, std::integer_sequence<int, Nth...>) {
    (F::template column_value<L, Nth>(s, r, k), ...);
  }
  ETNA_FN static void fold_sums(sums& to, sums& more, std::int64_t from, std::int64_t end) {
    each(from, end, [&]<class L>(L, std::int64_t k) {
      values<L> r, part;
      to.template load<L>(r, k - from);
      more.template load<L>(part, k - from);
      fold<L>(r, part, reductions{});
      to.template store<L>(r, k - from);
    });
  }
  ETNA_FN static void put_sums(state& s, sums& of, std::int64_t from, std::int64_t to) {
    each(from, to, [&]<class L>(L, std::int64_t k) {
      values<L> r;
      of.template load<L>(r, k - from);
      put<L>(s, r, k, typename F::seq{});
    });
  }
  /// The sums of columns [from, to) of the row where s is, over rows [begin, end) of the reduced axes.
  ETNA_FN static void add_rows(loop_numbers const& c, state& s, sums& total, std::int64_t from, std::int64_t to,
                               std::int64_t begin, std::int64_t end) {
    sums some;
    start(total, from, to);
    state of_row[at_once];
    for (int i = 0; i < at_once && i < end - begin; ++i) of_row[i] = s;
    index_walk mid = mid_walk(c, begin);
    bool const twice = !at::is_in_place(s.v);
    for (std::int64_t b = begin; b < end; b += tuning::loops::rows_of_block) {
      std::int64_t const e = std::min(b + tuning::loops::rows_of_block, end);
      std::int64_t m = b;
      start(some, from, to);
      if (is_narrow(c) && c.n_mid == 1) narrow_rows(s, 0, b, e, some, from, to, twice), m = e;
      else if (is_narrow(c) && c.n_mid > 1 && c.mid_extent[c.n_mid - 1] >= at_once)
        narrow_lines(c, s, mid, e - b, some, from, to, twice), m = e;
      if constexpr (at_once > 1)
        for (; m + at_once <= e; m += at_once) rows<at_once>(c, of_row, mid, some, from, to, twice);
      for (; m < e; ++m) rows<1>(c, of_row, mid, some, from, to, twice);
      fold_sums(total, some, from, to);
    }
  }
};

}  // namespace etna::lower
