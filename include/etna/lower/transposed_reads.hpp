// SPDX-License-Identifier: BSD-3-Clause
// Pointwise loops that read an operand across its memory, as a transposed one: some rows at a time, a tile of the
// operand is first copied in their order. So each line of its memory is read once, and all elements come in registers.
// Read next: flat.hpp.
#pragma once
#include "across_rows.hpp"

namespace etna::lower {

/// The same kernel where strided inputs are tiles in their rows' order.
template <class K> struct in_row_order {
  static constexpr bool pays = false;
};
template <int Phases, class... In, class... S> struct in_row_order<kernel<nest::pointwise, Phases, list<In...>, S...>> {
  template <class Input> static constexpr bool turns = input_traits<Input>::m == motion::strided;
  using in_order = kernel<nest::pointwise, Phases,
                          list<std::conditional_t<turns<In>, in<input_traits<In>::d, motion::next>, In>...>, S...>;
  using R = reading<in_order>;
  static constexpr bool pays = (turns<In> || ...) && R::lanes::width > 1 && R::n_windows == 0;
};

template <class K> struct transposed_reads;
template <int Phases, class... In, class... S>
struct transposed_reads<kernel<nest::pointwise, Phases, list<In...>, S...>> {
  using of = in_row_order<kernel<nest::pointwise, Phases, list<In...>, S...>>;
  using loops = fused<typename of::in_order>;
  using F = typename loops::F;
  static constexpr int n_in = F::n_in, n_views = n_in + F::n_out, n_turned = (int(of::template turns<In>) + ...);
  // Of the widest element
  static constexpr int bytes = int(sizeof(typename F::lanes::template of<float>)) / F::lanes::width;
  static constexpr std::int64_t rows = tuning::transposed_tile::rows,
                                columns = bytes == 4 ? tuning::transposed_tile::columns_of_4_bytes
                                                     : tuning::transposed_tile::columns_of_8_bytes;
  struct tiles {
    alignas(64) unsigned char at[n_turned][rows * columns * bytes];
  };
  /// Of a single row: so much of all operands that the first cache holds it.
  static constexpr std::int64_t in_line = std::max(columns, rows* columns / n_turned / columns * columns);

  /// Units of work: rows, or pieces of the only one.
  static std::int64_t units(loop_numbers const& c) { return c.n_outer == 0 ? loops::units(c) : c.rows; }
  ETNA_NOINLINE static void run(loop_numbers const& c, std::int64_t from, std::int64_t to) {
    if (c.n_outer == 0)
      return run_rows(c, nullptr, 1, c.from + from * loops::piece, std::min(c.from + to * loops::piece, c.inner));
    int const last = c.n_outer - 1;
    bool const across = [&]<int... J>(std::integer_sequence<int, J...>) {
      return ((turns<J> && c.views[J].outer[last] == 1) || ...);
    }(std::make_integer_sequence<int, n_in>{});
    for (std::int64_t u = from, n; u < to; u += n) {
      index_walk const first = row_walk(c, u);
      n = across ? std::min({rows, to - u, c.outer[last] - first.at[last]}) : 1;
      run_rows(c, first.at, n, 0, c.inner);
    }
  }

 private:
  template <int J> using In_ = typename F::template In_<J>;
  template <int J> static constexpr bool turns =
      (std::array<bool, std::size_t(n_in)>{of::template turns<In>...})[std::size_t(J)];
  template <int J> static constexpr int tile_of = [] {
    int k = 0, at = 0;
    ((at += k++ < J ? int(of::template turns<In>) : 0), ...);
    return at;
  }();

  /// n rows that follow each other in the last of the outer loops; the first is `at`.
  static void run_rows(loop_numbers const& c, std::int64_t const* at, std::int64_t n, std::int64_t from,
                       std::int64_t to) {
    tiles t;
    view_numbers views[n_views];
    loop_numbers mine{};
    mine.views = views;
    mine.numbers = c.numbers;
    mine.n_outer = 1;
    mine.mid = 1;
    mine.rows = mine.outer[0] = n;
    std::int64_t const width = n == 1 ? in_line : columns;
    for (std::int64_t k = from; k < to; k += width) {
      mine.inner = std::min(width, to - k);
      [&]<int... J>(std::integer_sequence<int, J...>) {
        (see<J>(c, at, k, mine, t), ...);
      }(std::make_integer_sequence<int, n_views>{});
      loops::run_units(mine, 0, n);
    }
  }
  /// View J of these rows from place k on, or its tile.
  template <int J>
  static void see(loop_numbers const& c, std::int64_t const* at, std::int64_t k, loop_numbers const& mine, tiles& t) {
    view_numbers const& v = c.views[J];
    view_numbers& w = mine.views[J] = v;
    std::int64_t const offset = (at ? row_offset(c, v, at) : 0) + k * v.inner;
    w.outer[0] = at ? v.outer[c.n_outer - 1] : 0;
    if constexpr (J >= n_in) w.data = static_cast<char*>(v.data) + offset * bytes_of(F::out_types[J - n_in]);
    else if constexpr (planning::is_ramp(In_<J>::m)) w.first += offset;
    else {
      using T = element_of<In_<J>::d>;
      T const* data = static_cast<T const*>(v.data) + offset;
      w.data = const_cast<T*>(data);
      if constexpr (!turns<J>) return;
      T* to = reinterpret_cast<T*>(t.at[tile_of<J>]);
      copy(data, w.outer[0], v.inner, mine.rows, mine.inner, to);
      w.data = to;
      w.outer[0] = columns;
      w.inner = 1;
    }
  }
  /// The tile of an operand whose rows are `row` apart, and elements of a row `step`.
  template <class T>
  static void copy(T const* from, std::int64_t row, std::int64_t step, std::int64_t n, std::int64_t size, T* to) {
    if (row == 1 && n > 1) return transpose_tile(from, step, n, size, to, columns);
    for (std::int64_t i = 0; i < n; ++i, from += row, to += columns) {
      if (step == -1)  // a loop that compilers turn into registers
        for (std::int64_t k = 0; k < size; ++k) to[k] = from[-k];
      else
        for (std::int64_t k = 0; k < size; ++k) to[k] = from[k * step];
    }
  }
};

}  // namespace etna::lower
