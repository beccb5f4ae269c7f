// SPDX-License-Identifier: BSD-3-Clause
// The loops of a fused kernel: for each unit of work (a row, a strip of columns, a piece of a
// pointwise loop) run the statements, phase by phase. The order of all sums is fixed by sizes alone.
// Read next: joined_rows.hpp.
#pragma once
#include "columns.hpp"
#include "few.hpp"

namespace etna::lower {

template <nest Nest, int Phases, class Body, seen As, class Unit> struct fused<kernel<Nest, Phases, Body, As>, Unit>
    : placing<kernel<Nest, Phases, Body, As>> {
  using at = placing<kernel<Nest, Phases, Body, As>>;
  using at::n, at::n_in, at::n_out;
  using typename at::F, typename at::state, typename at::lanes, typename at::views;
  using seq = typename F::seq;
  template <class L> using values = typename F::template values<L>;
  template <int Nth> using S_ = typename F::template S_<Nth>;
  template <int Nth> using In_ = typename F::template In_<Nth>;
  template <int Ph> using elements = typename F::template elements<Ph>;
  template <int Ph> using reductions = typename F::template reductions<Ph>;
  template <int Ph> using row_values = typename F::template row_values<Ph>;
  static constexpr std::int64_t piece = Unit::piece, part = at::template part_of<Unit>;
  static constexpr bool sums_join = F::sums_join;

  // The loops prefetch memory. A processor does so by itself where it sees addresses follow each other, but some look
  // only a few instructions ahead, which is not far enough where an element takes much computation. And none goes
  // beyond a page of memory, so it misses the begin of the next row. So long computations prefetch their operands a
  // few registers ahead, and kernels of rows prefetch the results of a row in its first phase, and the next row in the
  // phase before the last.
  static constexpr bool by_rows = Nest == nest::rows && Phases > 1;
  static constexpr bool prefetches = lanes::width > 1 && (by_rows || F::work >= tuning::kept::dear);
  /// How far ahead each input is asked for.
  struct distances {
    std::int64_t of[n_in == 0 ? 1 : n_in];
  };
  template <int... J>
  ETNA_FN static distances far_ahead(loop_numbers const& c, state const& s, std::integer_sequence<int, J...>) {
    [[maybe_unused]] bool const next_row = by_rows && c.n_outer > 0 && c.inner <= tuning::kept::short_row;
    return {{(next_row ? s.v[J].outer[c.n_outer - 1] : tuning::loops::registers_ahead * lanes::width)...}};
  }
  template <int J> ETNA_FN static void prefetch_input(distances const& far, state const& s, std::int64_t k) {
    if constexpr (In_<J>::m == motion::next && F::template reads<J>)
      __builtin_prefetch(static_cast<element_of<In_<J>::d> const*>(s.p[J]) + k + far.of[J], 0);
  }
  template <int Nth> ETNA_FN static void prefetch_output(state const& s, std::int64_t k) {
    if constexpr (S_<Nth>::at == level::element && S_<Nth>::outs != 0 && !S_<Nth>::lies_apart)
      __builtin_prefetch(static_cast<element_of<S_<Nth>::d> const*>(s.p[F::template out_index<Nth>]) + k +
                             (by_rows ? 0 : tuning::loops::registers_ahead * lanes::width),
                         1);
  }
  template <int Ph, int... Nth, int... J>
  ETNA_FN static void prefetch_next(distances const& far, state const& s, std::int64_t k,
                                    std::integer_sequence<int, Nth...>, std::integer_sequence<int, J...>) {
    if constexpr (Ph == (by_rows ? Phases - 2 : 0)) (prefetch_input<J>(far, s, k), ...);
    if constexpr (Ph == 0)
      if (!F::may_store_non_temporal || !s.non_temporal) (prefetch_output<Nth>(s, k), ...);
  }

  // An addition has to wait for the one before it, so several sums of a row run side by side, and are added at last.
  // Their number is the same in every kernel, so that the bits of a sum do not depend on what else the kernel computes.
  // An arg reduction has one accumulator: it compares in the order of the row.
  template <class L> static constexpr int accumulators = L::width > 1      ? tuning::loops::accumulators
                                                         : Unit::piece > 1 ? tuning::loops::accumulators_one_by_one
                                                                           : 1;
  template <class L, int Ph, bool Keep, int... Nth, int... R>
  ETNA_FN_INLINE static void step_of(distances const& far, state& __restrict s, values<L>& acc, values<L>& first,
                                     std::int64_t k, std::integer_sequence<int, Nth...>,
                                     std::integer_sequence<int, R...>) {
    if constexpr (prefetches) prefetch_next<Ph>(far, s, k, seq{}, std::make_integer_sequence<int, n_in>{});
    values<L> r;
    (F::template element<L, Ph, Keep, Nth>(s, r, k), ...);
    (F::template accumulate<L, R>(s, r, S_<R>::is_arg ? first : acc, k), ...);
  }
  template <class L, int Nth> ETNA_FN static void fold_sum(values<L>& to, values<L> const& from) {
    if constexpr (!S_<Nth>::is_arg) F::template fold<L, Nth>(to, from);
  }
  // Compilers take as long for a body of single elements as for one of registers.
  static constexpr bool rest_is_copied =
      Nest == nest::pointwise && Phases == 1 && at::may_be_copied && n > tuning::loops::in_registers;
  // A loop reads a copy of the state. The compiler knows that no store of the loop changes a local copy, so it reads
  // what stands still along a row once, into registers. No copy is made where there are not enough registers for it,
  // or where the loop itself writes to the state.
  using near = std::conditional_t<lanes::width == 1 || F::has_best || (n > tuning::loops::in_registers), state&, state>;
  template <class L, int Ph, bool Keep, int... Nth, int... R>
  ETNA_FN static void sweep(loop_numbers const& c, state& all, std::int64_t from, std::int64_t to, values<one>& wide,
                            values<one>& total, std::integer_sequence<int, Nth...>, std::integer_sequence<int, R...>) {
    if constexpr (few<F>::applies && L::width > 1)
      if (to - from < few<F>::template below<L> && few<F>::template sweep<L, Ph, Keep>(all, from, to)) return;
    near s = all;
    distances const far = far_ahead(c, s, std::make_integer_sequence<int, n_in>{});
    for (std::int64_t b = from; b < to;) {
      std::int64_t e = b + tuning::loops::block < to ? b + tuning::loops::block : to;
      constexpr int many = sizeof...(R) > 0 ? accumulators<L> : 1;
      values<L> acc[many];
      ETNA_UNROLL for (auto& x : acc)(F::template start<L, R>(x), ...);
      // A short arg reduction goes one by one: to join the best of the lanes would take as long.
      std::int64_t k = b, whole = F::has_best && L::width > 1 && e - b < few<F>::template below<L> ? b : e;
      if constexpr (many > 1) {
        for (; k + many * L::width <= whole; k += many * L::width) {
          if constexpr (F::work < tuning::loops::written_out) {
            ETNA_UNROLL for (int w = 0; w < many; ++w)
                step_of<L, Ph, Keep>(far, s, acc[w], acc[0], k + w * L::width, elements<Ph>{}, reductions<Ph>{});
          } else
            for (int w = 0; w < many; ++w)
              step_of<L, Ph, Keep>(far, s, acc[w], acc[0], k + w * L::width, elements<Ph>{}, reductions<Ph>{});
        }
        ETNA_UNROLL for (int w = 1; w < many; ++w)(fold_sum<L, R>(acc[0], acc[w]), ...);
      }
      // what is left is less than a register: the last one ends where the row ends, and computes some elements twice
      bool last = L::width > 1 && sizeof...(R) == 0 && e - b > L::width && (e - b) % L::width > 1 && !s.non_temporal &&
                  !at::is_in_place(s.v);
      for (;; k += L::width) {  // one place for both: compilers copy no long body
        if (k + L::width > whole) {
          if (!last) break;
          last = false;
          k = e - L::width;
        }
        step_of<L, Ph, Keep>(far, s, acc[0], acc[0], k, elements<Ph>{}, reductions<Ph>{});
      }
      (F::template join<L, R>(acc[0], wide, total), ...);
      if (k > b) (F::template join_best<L, R>(s, acc[0]), ...);
      if constexpr (L::width > 1 && rest_is_copied) {
        if (k < e) {
          typename at::copied_rest rest(s, k, e - k);
          sweep<L, Ph, Keep>(c, rest.s, 0, L::width, wide, total, elements<Ph>{}, reductions<Ph>{});
          rest.put_back();
        }
      } else if constexpr (L::width > 1) {
        values<one> tail;
        (F::template start<one, R>(tail), ...);
        for (; k < e; ++k) {
          values<one> r;
          (F::template element<one, Ph, Keep, Nth>(s, r, k), ...);
          (F::template accumulate<one, R>(s, r, tail, k), ...);
        }
        (F::template join<one, R>(tail, wide, total), ...);
      }
      b = e;
    }
  }
  template <int Ph, bool Keep> ETNA_FN static void sweep_all(loop_numbers const& c, state& s, std::int64_t from,
                                                             std::int64_t to, values<one>& wide, values<one>& total) {
    if (Nest == nest::pointwise || c.n_mid == 0)
      return sweep<lanes, Ph, Keep>(c, s, from, to, wide, total, elements<Ph>{}, reductions<Ph>{});
    if constexpr (Nest != nest::pointwise) {
      index_walk mid = mid_walk(c);
      for (std::int64_t m = 0; m < c.mid; ++m, mid.next()) {
        at::seek(c, s, mid.at, views{});
        sweep<lanes, Ph, Keep>(c, s, from, to, wide, total, elements<Ph>{}, reductions<Ph>{});
      }
      at::seek(c, s, nullptr, views{});
    }
  }
  struct sums {
    values<one> wide, total;
  };
  template <int Ph, bool Keep>
  ETNA_FN static void phase(loop_numbers const& c, state& s, std::int64_t from, std::int64_t to) {
    sums t;
    F::begin_phase(s, t.wide, t.total, row_values<Ph>{}, reductions<Ph>{});
    sweep_all<Ph, Keep>(c, s, from, to, t.wide, t.total);
    F::end_phase(s, t.wide, t.total, reductions<Ph>{});
    if constexpr (Ph + 1 < Phases) phase<Ph + 1, Keep>(c, s, from, to);
  }

  // ---- rows of one phase: parts of long ones are units of their own
  ETNA_FN static std::int64_t parts(loop_numbers const& c) {
    return sums_join && c.n_mid == 0 && c.inner >= 2 * part ? (c.inner + part - 1) / part : 1;
  }
  ETNA_FN static void run_part(loop_numbers const& c, state& s, std::int64_t u, std::int64_t p) {
    std::int64_t const in_row = parts(c), k = p * part;
    sums mine, &t = in_row > 1 ? static_cast<sums*>(c.sums)[u] : mine;
    F::begin_phase(s, t.wide, t.total, row_values<0>{}, reductions<0>{});
    sweep_all<0, false>(c, s, k, in_row > 1 ? std::min(k + part, c.inner) : c.inner, t.wide, t.total);
    if (in_row == 1) end_row(s, t);
  }
  ETNA_FN static void end_row(state& s, sums& t) {
    F::end_phase(s, t.wide, t.total, reductions<0>{});
    F::put_row_values(s, row_values<Phases>{});
  }
  template <int... R>
  ETNA_FN static void join_parts(loop_numbers const& c, state& s, std::int64_t row, std::integer_sequence<int, R...>) {
    sums t;
    [[maybe_unused]] sums* of = static_cast<sums*>(c.sums) + row * parts(c);  // there may be none
    at::move_to_row(c, s, row_walk(c, row), views{});
    F::begin_phase(s, t.wide, t.total, row_values<0>{}, reductions<0>{});
    for (std::int64_t k = 0; k < parts(c); ++k)
      (F::template join_part<R>(t.wide, t.total, of[k].wide, of[k].total), ...);
    end_row(s, t);
  }

 public:
  /// Units of work; each is computed alone, so any share of them gives the same bits.
  ETNA_FN static std::int64_t units(loop_numbers const& c) { return c.rows * units_in_row(c); }
  /// Bytes at c.sums that each unit wants, if any; then all of them are joined at last.
  static std::int64_t bytes_of_sums(loop_numbers const& c) { return parts(c) > 1 ? std::int64_t(sizeof(sums)) : 0; }
  ETNA_FN static void join_row(loop_numbers const& c, std::int64_t row) {
    state s;
    at::begin(c, s);
    join_parts(c, s, row, reductions<0>{});
  }
  ETNA_NOINLINE static void join_sums(loop_numbers const& c) {
    for (std::int64_t row = 0; row < c.rows; ++row) join_row(c, row);
  }
  ETNA_FN_INLINE static void run_units(loop_numbers const& c, std::int64_t from, std::int64_t to) {
    state s;
    typename F::kept_row kept;
    s.kept = &kept;
    at::begin(c, s);
    if (walks_short_rows && c.n_outer > 0 && from < to && c.inner <= tuning::short_rows::walked)
      run_short_rows(c, s, from, to);
    else
      at::each_unit(c, s, units_in_row(c), from, to,
                    [&](std::int64_t u, std::int64_t part) { run_unit(c, s, u, part); });
    if constexpr (F::may_store_non_temporal)
      if (c.non_temporal) end_of_stream();
  }
  ETNA_NOINLINE static void run(loop_numbers const& c, std::int64_t from, std::int64_t to) { run_units(c, from, to); }

  /// A row of a pointwise loop, so many elements at a time, between which its views are moved.
  class line {
   public:
    explicit line(loop_numbers const& c) {
      at::begin(c, s_);
      at::move_to_row(c, s_, row_walk(c, 0), views{});
    }
    void run(loop_numbers const& c) { phase<0, false>(c, s_, 0, c.inner); }
    /// View j by so many bytes; a ramp by so many elements.
    void move(int j, std::int64_t bytes) { s_.p[j] = static_cast<char*>(s_.p[j]) + bytes; }
    void move_ramp(int j, std::int64_t elements) { s_.base[j] += elements; }

   private:
    state s_;
  };

 private:
  // What a row costs before its first element counts where it has few of them, and its statements are few.
  static constexpr bool walks_short_rows = Nest == nest::pointwise && Phases == 1 && Unit::piece > 1 &&
                                           F::n_windows == 0 && n <= tuning::short_rows::walked_statements;
  ETNA_FN_INLINE static void run_short_rows(loop_numbers const& c, state& all, std::int64_t from, std::int64_t to) {
    if constexpr (walks_short_rows) {
      using half = typename F::half;
      bool const twice = !at::is_in_place(all.v);
      if constexpr (F::work >= tuning::kept::dear && lanes::width > 1)
        if (!twice && ends_in_part(c.inner) && run_over_operands(c, all, from, to)) return;
      auto walk = [&](auto inner) {
        at::walk_rows(
            c, all, from, to, [&](state& s) ETNA_INLINE_LAMBDA { short_row(s, inner, twice, elements<0>{}); }, views{});
      };
      if constexpr (n <= tuning::short_rows::of_one_register) {
        if (c.inner == lanes::width) return walk(std::integral_constant<std::int64_t, lanes::width>{});
        if (half::width > 1 && c.inner == half::width) return walk(std::integral_constant<std::int64_t, half::width>{});
      }
      walk(c.inner);
    }
  }
  ETNA_FN static bool ends_in_part(std::int64_t inner) {
    constexpr int least = F::half::width > 1 ? F::half::width : lanes::width;
    return inner > least && inner % least > 1;
  }
  /// Where results are written over operands, and much is computed of an element: of a copy of each row. A function of
  /// its own, since compilers make slower code of loops that may read both.
  ETNA_NOINLINE static bool run_over_operands(loop_numbers const& c, state& all, std::int64_t from, std::int64_t to) {
    typename at::template kept_operands<tuning::short_rows::walked> kept(all);
    if (!kept.has_all()) return false;
    at::walk_rows(
        c, all, from, to,
        [&](state& s) ETNA_INLINE_LAMBDA {
          kept.take(s, c.inner);
          short_row(s, c.inner, true, elements<0>{});
          kept.give_back(s);
        },
        views{});
    return true;
  }
  template <class Inner, int... Nth>
  ETNA_FN_INLINE static void short_row(state& s, Inner inner, bool twice, std::integer_sequence<int, Nth...>) {
    using half = typename F::half;
    std::int64_t k = 0;
    auto registers = [&]<class L>(L) {
      bool last = twice && inner - k > L::width && (inner - k) % L::width > 1;  // some elements twice
      for (;; k += L::width) {
        if (k + L::width > inner) {
          if (!last) return;
          last = false;
          k = inner - L::width;
        }
        values<L> r;
        (F::template element<L, 0, false, Nth>(s, r, k), ...);
      }
    };
    if constexpr (lanes::width > 1) registers(lanes{});
    if constexpr (half::width > 1)
      if (k < inner) registers(half{});
    for (; k < inner; ++k) {
      values<one> r;
      (F::template element<one, 0, false, Nth>(s, r, k), ...);
    }
  }
  ETNA_FN static std::int64_t units_in_row(loop_numbers const& c) {
    return Nest == nest::pointwise ? (c.inner - c.from + piece - 1) / piece : parts(c);
  }
  ETNA_FN_INLINE static void run_unit(loop_numbers const& c, state& s, std::int64_t u, std::int64_t p) {
    if constexpr (sums_join) run_part(c, s, u, p);
    else if constexpr (Nest == nest::rows) {
      if constexpr (F::n_kept > 0) {
        if (c.n_mid == 0 && c.inner <= tuning::kept::short_row) phase<0, true>(c, s, 0, c.inner);
        else phase<0, false>(c, s, 0, c.inner);
      } else if constexpr (Phases > 0) phase<0, false>(c, s, 0, c.inner);
      F::put_row_values(s, row_values<Phases>{});
    } else phase<0, false>(c, s, c.from + p * piece, std::min(c.from + (p + 1) * piece, c.inner));
  }
};

}  // namespace etna::lower
