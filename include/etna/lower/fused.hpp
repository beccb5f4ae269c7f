// SPDX-License-Identifier: BSD-3-Clause
// The loops of a fused kernel: for each unit of work (a row, a block of columns, a piece of a
// pointwise loop) run the statements, phase by phase. The order of all sums is fixed by sizes alone.
// Read next: product.hpp.
#pragma once
#include <algorithm>

#include "few.hpp"

namespace etna::lower {

inline constexpr std::int64_t block = 4096;   // elements summed before they join the total
/// Units of a processor with a cache: elements of a pointwise loop, columns, and elements of a long row whose sums join later.
struct by_cache { static constexpr std::int64_t piece = 8192, strip = 256, part = 16 * block; };
/// Units of one thread among the many of a device.
struct by_thread { static constexpr std::int64_t piece = 1, strip = 1, part = 1024; };
inline constexpr int registers_ahead = 16;    // so far ahead memory is asked for
inline constexpr int rows_ahead = 8;
inline constexpr int cache_line = 64;         // bytes

/// How far from its begin a view is at a row, and at place m of the reduced axes that are not the innermost loop.
ETNA_FN inline std::int64_t row_offset(loop_numbers const& c, view_numbers const& v, std::int64_t const* at) {
  if (c.n_outer == 1) return at[0] * v.outer[0];
  std::int64_t o = 0;
  for (int i = 0; i < c.n_outer; ++i) o += at[i] * v.outer[i];
  return o;
}
ETNA_FN inline std::int64_t mid_offset(loop_numbers const& c, view_numbers const& v, std::int64_t m) {
  if (c.n_mid == 1) return m * v.mid[0];
  std::int64_t o = 0;
  for (int i = c.n_mid - 1; i >= 0; --i) {
    o += m % c.mid_extent[i] * v.mid[i];
    m /= c.mid_extent[i];
  }
  return o;
}

template <class K, class Unit = by_cache> struct fused;
template <shape Form, int Phases, class... In, class... S, class Unit>
struct fused<kernel<Form, Phases, list<In...>, S...>, Unit> {
  using F = statements<kernel<Form, Phases, list<In...>, S...>>;
  using state = typename F::state;
  using lanes = typename F::lanes;
  static constexpr int n = F::n, n_in = F::n_in, n_out = F::n_out;
  using seq = typename F::seq;
  template <int Ph> using elements = typename F::template elements<Ph>;
  template <int Ph> using reductions = typename F::template reductions<Ph>;
  template <int Ph> using row_values = typename F::template row_values<Ph>;
  static constexpr std::int64_t piece = Unit::piece, strip = Unit::strip, part = Unit::part;
  using views = std::make_integer_sequence<int, n_in + n_out>;
  template <int I> using S_ = typename F::template S_<I>;
  template <int I> using In_ = typename F::template In_<I>;

  ETNA_FN static void begin(loop_numbers const& c, state& s) {
    s.v = c.views;
    if constexpr (F::n_numbers > 0) (F::read_numbers(c, s, static_cast<S*>(nullptr)), ...);
  }
  template <int... J> ETNA_FN static void move_to_row(loop_numbers const& c, state& s, std::int64_t row, std::integer_sequence<int, J...>) {
    std::int64_t at[max_rank];
    if (c.n_outer == 1) at[0] = row;  // a division takes as long as ten elements
    else for (int i = c.n_outer - 1; i >= 0; --i) {
      at[i] = row % c.outer[i];
      row /= c.outer[i];
    }
    (place<J>(c, s, at, 0), ...);
  }
  /// Move view J to row `at` (null: the row where it is) and to place m of the reduced axes that are not the innermost loop.
  template <int J> ETNA_FN static void place(loop_numbers const& c, state& s, std::int64_t const* at, std::int64_t m) {
    view_numbers const& v = s.v[J];
    if constexpr (F::template has_window<J>) {
      std::int64_t const* w = c.numbers + F::template window_at<J>;
      if (at) {
        bool in = true;
        s.origin[J] = 0;
        for (int i = 0; i < c.n_outer; ++i) s.origin[J] += F::within(w, i, at[i], in) * v.outer[i];
        s.windows[J].has_row = in;
      }
      std::int64_t o = s.origin[J];
      bool in = s.windows[J].has_row;
      for (int i = c.n_mid - 1; i >= 0; --i) {
        o += F::within(w, c.n_outer + i, m % c.mid_extent[i], in) * v.mid[i];
        m /= c.mid_extent[i];
      }
      F::template open_window<J>(s, w, in, v.data, o);
    } else {
      std::int64_t const o = at ? s.origin[J] = row_offset(c, v, at) : s.origin[J] + mid_offset(c, v, m);
      if constexpr (J >= n_in) s.p[J] = static_cast<char*>(v.data) + o * F::out_bytes[J - n_in];
      else {
        if constexpr (In_<J>::m == motion::ramp || In_<J>::m == motion::strided_ramp || In_<J>::m == motion::still_ramp) s.base[J] = v.first + o;
        else s.p[J] = static_cast<element_of<In_<J>::d>*>(v.data) + o;
        F::template refresh<J>(s);
      }
    }
  }

  // Memory is asked for before it is needed. Processors guess streams, but some not behind much computation, and none into
  // the next page, where the next row may begin. A row asks for its results as it begins, and for the next row before its
  // last phase.
  static constexpr bool by_rows = Form == shape::rows && Phases > 1;
  static constexpr bool asks_ahead = lanes::width > 1 && (by_rows || F::work >= dear);
  template <int J> ETNA_FN static void ask_input(loop_numbers const& c, state const& s, std::int64_t k) {
    if constexpr (In_<J>::m == motion::next && F::template reads<J>) {
      bool next_row = by_rows && c.n_outer > 0 && c.inner <= short_row;
      std::int64_t distance = next_row ? s.v[J].outer[c.n_outer - 1] : registers_ahead * lanes::width;
      __builtin_prefetch(static_cast<element_of<In_<J>::d> const*>(s.p[J]) + k + distance, 0);
    }
  }
  template <int I> ETNA_FN static void ask_output(state const& s, std::int64_t k) {
    if constexpr (S_<I>::at == level::element && S_<I>::outs != 0)
      __builtin_prefetch(static_cast<element_of<S_<I>::d> const*>(s.p[F::template out_index<I>]) + k + (by_rows ? 0 : registers_ahead * lanes::width), 1);
  }
  template <int Ph, int... I, int... J>
  ETNA_FN static void ask_ahead(loop_numbers const& c, state const& s, std::int64_t k, std::integer_sequence<int, I...>, std::integer_sequence<int, J...>) {
    if constexpr (Ph == (by_rows ? Phases - 2 : 0)) (ask_input<J>(c, s, k), ...);
    if constexpr (Ph == 0) (ask_output<I>(s, k), ...);
  }

  // A sum waits for its last addend, so some run side by side: so many in every kernel, that bits do not depend on what else
  // is computed there. The best of the lanes is found in order.
  template <class L> static constexpr int chains = L::width > 1 ? 4 : 1;
  template <class L, int Ph, bool Keep, int... I, int... R>
  ETNA_FN_INLINE static void step_of(loop_numbers const& c, state& __restrict s, registers<L, n>& acc, registers<L, n>& first, std::int64_t k,
                                     std::integer_sequence<int, I...>, std::integer_sequence<int, R...>) {
    if constexpr (asks_ahead) ask_ahead<Ph>(c, s, k, seq{}, std::make_integer_sequence<int, n_in>{});
    registers<L, n> r;
    (F::template element<L, Ph, Keep, I>(s, r, k), ...);
    (F::template accumulate<L, R>(s, r, S_<R>::is_arg ? first : acc, k), ...);
  }
  template <class L, int I> ETNA_FN static void fold_sum(registers<L, n>& to, registers<L, n> const& from) {
    if constexpr (!S_<I>::is_arg) F::template fold<L, I>(to, from);
  }
  template <class L, int Ph, bool Keep, int... I, int... R>
  ETNA_FN static void sweep(loop_numbers const& c, state& __restrict s, std::int64_t from, std::int64_t to, registers<one, n>& wide, registers<one, n>& total,
                            std::integer_sequence<int, I...>, std::integer_sequence<int, R...>) {
    if constexpr (few<F>::is_meant && L::width > 1)
      if (to - from < few<F>::template below<L> && few<F>::template sweep<Ph, Keep>(s, from, to)) return;
    for (std::int64_t b = from; b < to;) {
      std::int64_t e = b + block < to ? b + block : to;
      constexpr int many = sizeof...(R) > 0 ? chains<L> : 1;
      registers<L, n> acc[many];
      ETNA_UNROLL for (auto& x : acc) (F::template start<L, R>(x), ...);
      std::int64_t k = b, whole = F::has_best && L::width > 1 && e - b < few<F>::template below<L> ? b : e;  // joining the best of the lanes takes as long
      if constexpr (many > 1) {
        for (; k + many * L::width <= whole; k += many * L::width) {
          if constexpr (F::work < dear) {
            ETNA_UNROLL for (int w = 0; w < many; ++w) step_of<L, Ph, Keep>(c, s, acc[w], acc[0], k + w * L::width, elements<Ph>{}, reductions<Ph>{});
          } else
            for (int w = 0; w < many; ++w) step_of<L, Ph, Keep>(c, s, acc[w], acc[0], k + w * L::width, elements<Ph>{}, reductions<Ph>{});
        }
        ETNA_UNROLL for (int w = 1; w < many; ++w) (fold_sum<L, R>(acc[0], acc[w]), ...);
      }
      for (; k + L::width <= whole; k += L::width) step_of<L, Ph, Keep>(c, s, acc[0], acc[0], k, elements<Ph>{}, reductions<Ph>{});
      (F::template join<L, R>(acc[0], wide, total), ...);
      if (k > b) (F::template join_best<L, R>(s, acc[0]), ...);
      if constexpr (L::width > 1) {
        registers<one, n> tail;
        (F::template start<one, R>(tail), ...);
        for (; k < e; ++k) {
          registers<one, n> r;
          (F::template element<one, Ph, Keep, I>(s, r, k), ...);
          (F::template accumulate<one, R>(s, r, tail, k), ...);
        }
        (F::template join<one, R>(tail, wide, total), ...);
      }
      b = e;
    }
  }
  template <int... J> ETNA_FN static void seek(loop_numbers const& c, state& s, std::int64_t m, std::integer_sequence<int, J...>) {
    (place<J>(c, s, nullptr, m), ...);
  }
  template <int Ph, bool Keep> ETNA_FN static void sweep_all(loop_numbers const& c, state& s, std::int64_t from, std::int64_t to, registers<one, n>& wide, registers<one, n>& total) {
    if (Form == shape::pointwise || c.n_mid == 0) return sweep<lanes, Ph, Keep>(c, s, from, to, wide, total, elements<Ph>{}, reductions<Ph>{});
    if constexpr (Form != shape::pointwise) {
      for (std::int64_t m = 0; m < c.mid; ++m) {
        seek(c, s, m, views{});
        sweep<lanes, Ph, Keep>(c, s, from, to, wide, total, elements<Ph>{}, reductions<Ph>{});
      }
      seek(c, s, 0, views{});
    }
  }
  struct sums { registers<one, n> wide, total; };
  template <int Ph, bool Keep> ETNA_FN static void phase(loop_numbers const& c, state& s, std::int64_t from, std::int64_t to) {
    sums t;
    F::begin_phase(s, t.wide, t.total, row_values<Ph>{}, reductions<Ph>{});
    sweep_all<Ph, Keep>(c, s, from, to, t.wide, t.total);
    F::end_phase(s, t.wide, t.total, reductions<Ph>{});
    if constexpr (Ph + 1 < Phases) phase<Ph + 1, Keep>(c, s, from, to);
  }

  // ---- rows of one phase: parts of long ones are units of their own
  ETNA_FN static std::int64_t parts(loop_numbers const& c) { return F::sums_join && c.n_mid == 0 && c.inner >= 2 * part ? (c.inner + part - 1) / part : 1; }
  ETNA_FN static void run_part(loop_numbers const& c, state& s, std::int64_t u) {
    std::int64_t const in_row = parts(c), k = in_row == 1 ? 0 : u % in_row * part;
    move_to_row(c, s, in_row == 1 ? u : u / in_row, views{});
    sums mine, &t = in_row > 1 ? static_cast<sums*>(c.sums)[u] : mine;
    F::begin_phase(s, t.wide, t.total, row_values<0>{}, reductions<0>{});
    sweep_all<0, false>(c, s, k, in_row > 1 ? std::min(k + part, c.inner) : c.inner, t.wide, t.total);
    if (in_row == 1) end_row(s, t);
  }
  ETNA_FN static void end_row(state& s, sums& t) {
    F::end_phase(s, t.wide, t.total, reductions<0>{});
    F::put_row_values(s, row_values<Phases>{});
  }
  template <int... R> ETNA_FN static void join_parts(loop_numbers const& c, state& s, std::int64_t row, std::integer_sequence<int, R...>) {
    sums t;
    [[maybe_unused]] sums* of = static_cast<sums*>(c.sums) + row * parts(c);  // there may be none
    move_to_row(c, s, row, views{});
    F::begin_phase(s, t.wide, t.total, row_values<0>{}, reductions<0>{});
    for (std::int64_t k = 0; k < parts(c); ++k) (F::template join_part<R>(t.wide, t.total, of[k].wide, of[k].total), ...);
    end_row(s, t);
  }

  // ---- columns: the reduced axis is walked for some registers of kept columns, side by side
  static constexpr int side_by_side = F::work >= dear ? 1 : std::max(1, 8 / std::max(1, int(reductions<0>::size())));
  // Rows that lie far apart are no stream that a processor guesses.
  template <class L, int Wide, int J> ETNA_FN static void ask_row(loop_numbers const& c, state const& s, std::int64_t k) {
    if constexpr (J < n_in)
      if constexpr (In_<J>::m == motion::next && F::template reads<J>) {
        using T = element_of<In_<J>::d>;
        T const* next = static_cast<T const*>(s.p[J]) + k + rows_ahead * s.v[J].mid[c.n_mid - 1];
        ETNA_UNROLL for (int w = 0; w < Wide; ++w)
          if (w * L::width * int(sizeof(T)) % cache_line == 0) __builtin_prefetch(next + w * L::width, 0);
      }
  }
  template <class L, int Wide, int... I, int... R, int... All, int... J>
  ETNA_FN static void column(loop_numbers const& c, state& __restrict s, std::int64_t k, std::integer_sequence<int, I...>, std::integer_sequence<int, R...>,
                             std::integer_sequence<int, All...>, std::integer_sequence<int, J...>) {
    registers<L, n> total[Wide];
    ETNA_UNROLL for (int w = 0; w < Wide; ++w) (F::template start<L, R>(total[w]), ...);
    for (std::int64_t b = 0; b < c.mid; b += 128) {
      registers<L, n> acc[Wide];
      ETNA_UNROLL for (int w = 0; w < Wide; ++w) (F::template start<L, R>(acc[w]), ...);
      std::int64_t e = b + 128 < c.mid ? b + 128 : c.mid;
      for (std::int64_t m = b; m < e; ++m) {
        (place<J>(c, s, nullptr, m), ...);
        if constexpr (Wide > 1) (ask_row<L, Wide, J>(c, s, k), ...);
        ETNA_UNROLL for (int w = 0; w < Wide; ++w) {
          registers<L, n> r;
          (F::template element<L, 0, false, I>(s, r, k + w * L::width), ...);
          (F::template accumulate<L, R>(s, r, acc[w], k + w * L::width), ...);
        }
      }
      ETNA_UNROLL for (int w = 0; w < Wide; ++w) (F::template fold<L, R>(total[w], acc[w]), ...);
    }
    (place<J>(c, s, nullptr, 0), ...);
    ETNA_UNROLL for (int w = 0; w < Wide; ++w) (F::template column_value<L, All>(s, total[w], k + w * L::width), ...);
  }
  template <class L, int Wide> ETNA_FN static void columns(loop_numbers const& c, state& s, std::int64_t& k, std::int64_t end) {
    for (; k + Wide * L::width <= end; k += Wide * L::width) column<L, Wide>(c, s, k, elements<0>{}, reductions<0>{}, seq{}, views{});
  }

 public:
  /// Units of work; each is computed alone, so any share of them gives the same bits.
  ETNA_FN static std::int64_t units(loop_numbers const& c) {
    if constexpr (Form == shape::pointwise) return c.rows * ((c.inner - c.from + piece - 1) / piece);
    else if constexpr (Form == shape::columns) return c.rows * ((c.inner + strip - 1) / strip);
    else if constexpr (F::sums_join) return c.rows * parts(c);
    else return c.rows;
  }
  /// Bytes at c.sums that each unit wants, if any; then all of them are joined at last.
  static std::int64_t bytes_of_sums(loop_numbers const& c) { return parts(c) > 1 ? std::int64_t(sizeof(sums)) : 0; }
  ETNA_FN static void join_row(loop_numbers const& c, std::int64_t row) {
    state s;
    begin(c, s);
    join_parts(c, s, row, reductions<0>{});
  }
  ETNA_NOINLINE static void join_sums(loop_numbers const& c) {
    for (std::int64_t row = 0; row < c.rows; ++row) join_row(c, row);
  }
  ETNA_FN_INLINE static void run_units(loop_numbers const& c, std::int64_t from, std::int64_t to) {
    state s;
    typename F::kept_row kept;
    s.kept = &kept;
    begin(c, s);
    for (std::int64_t u = from; u < to; ++u) run_unit(c, s, u);
  }
  ETNA_NOINLINE static void run(loop_numbers const& c, std::int64_t from, std::int64_t to) { run_units(c, from, to); }

 private:
  ETNA_FN_INLINE static void run_unit(loop_numbers const& c, state& s, std::int64_t u) {
    if constexpr (F::sums_join) run_part(c, s, u);
    else if constexpr (Form == shape::rows) {
      move_to_row(c, s, u, views{});
      if constexpr (F::n_kept > 0) {
        if (c.n_mid == 0 && c.inner <= short_row) phase<0, true>(c, s, 0, c.inner);
        else phase<0, false>(c, s, 0, c.inner);
      } else if constexpr (Phases > 0) phase<0, false>(c, s, 0, c.inner);
      F::put_row_values(s, row_values<Phases>{});
    } else {
      constexpr std::int64_t width = Form == shape::pointwise ? piece : strip;
      std::int64_t per_row = (c.inner - c.from + width - 1) / width;
      move_to_row(c, s, per_row == 1 ? u : u / per_row, views{});
      std::int64_t k = c.from + (per_row == 1 ? 0 : u % per_row * width), end = k + width < c.inner ? k + width : c.inner;
      if constexpr (Form == shape::pointwise) phase<0, false>(c, s, k, end);
      else {
        if constexpr (lanes::width > 1 && side_by_side > 1) columns<lanes, side_by_side>(c, s, k, end);
        columns<lanes, 1>(c, s, k, end);
        if constexpr (lanes::width > 1) columns<one, 1>(c, s, k, end);
      }
    }
  }
};

}  // namespace etna::lower
