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
template <int Phases, class Body> struct in_row_order<kernel<nest::pointwise, Phases, Body>> {
  using in_order = kernel<nest::pointwise, Phases, Body, seen::turned>;
  using inputs = facts_of<kernel<nest::pointwise, Phases, Body>>;
  static constexpr bool turns(int input) { return inputs::facts.inputs[std::size_t(input)].m == motion::strided; }
  static constexpr int n_turned = [] {
    int turned = 0;
    for (int j = 0; j < inputs::n_in; ++j) turned += turns(j);
    return turned;
  }();
  using R = reading<in_order>;
  static constexpr bool pays = n_turned > 0 && R::lanes::width > 1 && R::n_windows == 0;
};

/// The tile of an operand whose rows are `row` apart, and elements of a row `step`; its rows are `columns` apart.
template <class T> void copy_tile_of(T const* from, std::int64_t row, std::int64_t step, std::int64_t n,
                                     std::int64_t size, T* to, std::int64_t columns) {
  if (row == 1 && n > 1) return transpose_tile(from, step, n, size, to, columns);
  for (std::int64_t i = 0; i < n; ++i, from += row, to += columns) {
    if (step == -1)  // a loop that compilers turn into registers
      for (std::int64_t k = 0; k < size; ++k) to[k] = from[-k];
    else
      for (std::int64_t k = 0; k < size; ++k) to[k] = from[k * step];
  }
}
/// Of elements of so many bytes. (No part of a function that knows another type of them.)
ETNA_NOINLINE inline void copy_tile(int bytes, void const* from, std::int64_t row, std::int64_t step, std::int64_t n,
                                    std::int64_t size, void* to, std::int64_t columns) {
  auto const as = [&]<class T>(T*) {
    copy_tile_of(static_cast<T const*>(from), row, step, n, size, static_cast<T*>(to), columns);
  };
  switch (bytes) {
    case 1: return as(static_cast<std::uint8_t*>(nullptr));
    case 2: return as(static_cast<std::uint16_t*>(nullptr));
    case 4: return as(static_cast<float*>(nullptr));
    default: return as(static_cast<double*>(nullptr));
  }
}

template <class K> struct transposed_reads;
template <int Phases, class Body> struct transposed_reads<kernel<nest::pointwise, Phases, Body>> {
  using of = in_row_order<kernel<nest::pointwise, Phases, Body>>;
  using loops = fused<typename of::in_order>;
  using F = typename loops::F;
  static constexpr int n_in = F::n_in, n_views = n_in + F::n_out, n_turned = of::n_turned;
  // Of the widest element
  static constexpr int bytes = int(sizeof(typename F::lanes::template of<float>)) / F::lanes::width;
  static constexpr std::int64_t rows = tuning::transposed_tile::rows,
                                columns = bytes == 4 ? tuning::transposed_tile::columns_of_4_bytes
                                                     : tuning::transposed_tile::columns_of_8_bytes;
  /// Of a single row: so much of all operands that the first cache holds it.
  static constexpr std::int64_t in_line = std::max(columns, rows* columns / n_turned / columns * columns);
  /// Of several rows: fewer of them where there are many operands.
  static constexpr std::int64_t together = std::clamp<std::int64_t>(tuning::transposed_tile::all / n_turned, 1, rows);
  struct tiles {
    alignas(64) unsigned char at[std::max(n_turned * together * columns, n_turned* in_line) * bytes];
  };

  /// Units of work: rows, or pieces of the only one.
  static std::int64_t units(loop_numbers const& c) { return c.n_outer == 0 ? loops::units(c) : c.rows; }
  ETNA_NOINLINE static void run(loop_numbers const& c, std::int64_t from, std::int64_t to) {
    if (c.n_outer == 0)
      return run_rows(c, nullptr, 1, c.from + from * loops::piece, std::min(c.from + to * loops::piece, c.inner));
    int const last = c.n_outer - 1;
    bool some = c.inner <= columns;  // short rows: what some of them cost before their first element, once
    for (int j = 0; j < n_in; ++j) some = some || (kinds[j].tile >= 0 && c.views[j].outer[last] == 1);
    for (std::int64_t u = from, n; u < to; u += n) {
      index_walk const first = row_walk(c, u);
      n = some ? std::min({together, to - u, c.outer[last] - first.at[last]}) : 1;
      run_rows(c, first.at, n, 0, c.inner);
    }
  }

 private:
  /// A view: bytes of an element, or 0 of a ramp; and which tile it has, or -1.
  struct kind {
    int bytes, tile;
  };
  static constexpr auto kinds = [] {
    std::array<kind, std::size_t(n_views)> k{};
    int tiles = 0;
    for (int j = 0; j < n_in; ++j) {
      auto const [d, m] = of::inputs::facts.inputs[std::size_t(j)];
      k[std::size_t(j)] = {planning::is_ramp(m) ? 0 : bytes_of(d), of::turns(j) ? tiles++ : -1};
    }
    for (int j = n_in; j < n_views; ++j) k[std::size_t(j)] = {bytes_of(F::out_types[std::size_t(j - n_in)]), -1};
    return k;
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
      for (int j = 0; j < n_views; ++j) see(j, c, at, k, views[j]);
      for (int j = 0; j < n_in; ++j)
        if (kinds[j].tile >= 0) j += fill(j, mine, n == 1, t) - 1;
      loops::run_units(mine, 0, n);
    }
  }
  /// View j of these rows from place k on.
  static void see(int j, loop_numbers const& c, std::int64_t const* at, std::int64_t k, view_numbers& w) {
    view_numbers const& v = c.views[j];
    std::int64_t const offset = (at ? row_offset(c, v, at) : 0) + k * v.inner;
    w = v;
    w.outer[0] = at ? v.outer[c.n_outer - 1] : 0;
    w.first += offset;
    w.data = static_cast<char*>(v.data) + offset * kinds[j].bytes;
  }
  /// Fills the tile of input j, and of those behind it that are the next columns of its memory: so many inputs. Tiles
  /// of a single row lie side by side, so that no two are in the same places of the cache.
  static int fill(int j, loop_numbers const& mine, bool is_single, tiles& t) {
    int const size = kinds[j].bytes;
    view_numbers* const v = mine.views + j;
    view_numbers const first = v[0];
    auto follows = [&](int i) {
      return kinds[j + i].tile >= 0 && kinds[j + i].bytes == size && v[i].inner == first.inner &&
             v[i].data == static_cast<char*>(first.data) + i * size;
    };
    int n = 1;
    while (is_single && j + n < n_in && follows(n)) ++n;
    std::int64_t const tile = (is_single ? in_line : together * columns) * bytes;
    unsigned char* const to = t.at + kinds[j].tile * tile;
    if (n > 1) copy_tile(size, first.data, 1, first.inner, n, mine.inner, to, tile / size);
    else copy_tile(size, first.data, first.outer[0], first.inner, mine.rows, mine.inner, to, columns);
    for (int i = 0; i < n; ++i) {
      v[i].data = to + i * tile;
      v[i].outer[0] = columns;
      v[i].inner = 1;
    }
    return n;
  }
};

}  // namespace etna::lower
