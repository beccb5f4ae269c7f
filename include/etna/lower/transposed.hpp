// SPDX-License-Identifier: BSD-3-Clause
// Pointwise loops that read an operand across its memory, as a transposed one, or short rows of it that an index picks,
// or write a result so, as the third component of vectors: some rows at a time, a tile of the operand is first copied
// in their order, and a tile of the result is put where it belongs at last. So each line of memory is touched once, and
// all elements move in registers.
// Read next: flat.hpp.
#pragma once
#include "view_tiles.hpp"

namespace etna::lower {

/// n elements, past the caches where they fill lines.
template <class T> void stream_elements(T const* from, T* to, std::int64_t n) {
  std::int64_t i = 0;
#if defined(ETNA_HAS_SIMD)
  using L = packed<T>;
  if constexpr (L::template streams<T>) {
    for (; i < n && reinterpret_cast<std::uintptr_t>(to + i) % (sizeof(T) * L::width) != 0; ++i) to[i] = from[i];
    for (; i + L::width <= n; i += L::width) L::template stream<T>(to + i, L::template load<T>(from + i));
  }
#endif
  for (; i < n; ++i) to[i] = from[i];
}
/// The tile of an operand whose rows are `row` apart, and elements of a row `step`; its rows are `columns` apart.
template <class T> void copy_tile_of(T const* from, std::int64_t row, std::int64_t step, std::int64_t n,
                                     std::int64_t size, T* to, std::int64_t columns) {
  if (row == 1 && n > 1) return transpose_tile(from, step, n, size, to, columns);
  for (std::int64_t i = 0; i < n; ++i, from += row, to += columns) {
    if (step == -1)  // loops that compilers turn into registers
      for (std::int64_t k = 0; k < size; ++k) to[k] = from[-k];
    else if (step == 2)
      for (std::int64_t k = 0; k < size; ++k) to[k] = from[2 * k];
    else
      for (std::int64_t k = 0; k < size; ++k) to[k] = from[k * step];
  }
}
/// Of elements of so many bytes. (No part of a function that knows another type of them.)
ETNA_NOINLINE inline void copy_tile(int bytes, void const* from, std::int64_t row, std::int64_t step, std::int64_t n,
                                    std::int64_t size, void* to, std::int64_t columns) {
  of_bytes(bytes, [&]<class T>(T*) {
    copy_tile_of(static_cast<T const*>(from), row, step, n, size, static_cast<T*>(to), columns);
  });
}

template <class K> struct transposed;
template <int Phases, class Body> struct transposed<kernel<nest::pointwise, Phases, Body>> {
  using in_tiles = views_in_tiles<kernel<nest::pointwise, Phases, Body>>;
  using groups = typename in_tiles::groups;
  using loops = fused<typename in_tiles::of::in_order>;
  static constexpr int n_in = in_tiles::n_in, n_views = in_tiles::n_views, n_tiles = in_tiles::n_tiles,
                       bytes = in_tiles::bytes;
  static constexpr auto const& kinds = in_tiles::kinds;
  static constexpr std::int64_t columns =
      bytes == 4 ? tuning::transposed_tile::columns_of_4_bytes : tuning::transposed_tile::columns_of_8_bytes;
  /// Rows that go together: fewer of them where there are many operands.
  static constexpr std::int64_t together =
      std::clamp<std::int64_t>(tuning::transposed_tile::all / n_tiles, 1, tuning::transposed_tile::rows);
  struct tiles {
    static constexpr std::int64_t of_rows = n_tiles * together * columns * bytes,
                                  of_a_row = n_tiles * in_tiles::least_columns * bytes;
    alignas(64) unsigned char at[std::max({of_rows, of_a_row, tuning::transposed_tile::in_line})];
  };

  /// Units of work: rows, or pieces of the only one.
  static std::int64_t units(loop_numbers const& c) { return c.n_outer == 0 ? loops::units(c) : c.rows; }
  ETNA_NOINLINE static void run(loop_numbers const& c, std::int64_t from, std::int64_t to) {
    groups const g(c);
    if (c.n_outer == 0)
      return run_rows(c, g, nullptr, 1, c.from + from * loops::piece, std::min(c.from + to * loops::piece, c.inner));
    int const last = c.n_outer - 1;
    bool some = c.inner <= columns;  // short rows: what some of them cost before their first element, once
    for (int j = 0; j < n_views; ++j) some = some || (kinds[j].has_tile && c.views[j].outer[last] == 1);
    for (std::int64_t u = from, n; u < to; u += n) {
      index_walk const first = row_walk(c, u);
      n = some ? std::min({together, to - u, c.outer[last] - first.at[last]}) : 1;
      run_rows(c, g, first.at, n, 0, c.inner);
    }
  }

 private:
  /// n rows that follow each other in the last of the outer loops; the first is `at`.
  static void run_rows(loop_numbers const& c, groups const& g, std::int64_t const* at, std::int64_t n,
                       std::int64_t from, std::int64_t to) {
    tiles t;
    view_numbers views[n_views], far[n_tiles];  // far: the first of a group, where it belongs
    loop_numbers mine{};
    mine.views = views;
    mine.numbers = c.numbers;
    mine.n_outer = 1;
    mine.mid = 1;
    mine.rows = mine.outer[0] = n;
    if (n == 1) {
      for (int j = 0; j < n_views; ++j) see(j, c, at, from, views[j]);
      put_in_tiles(g, t, views, far, g.columns, g.columns);
      return run_row(g, mine, views, far, to - from);
    }
    constexpr std::int64_t pitch = together * columns;
    for (std::int64_t k = from; k < to; k += columns) {
      mine.inner = std::min(columns, to - k);
      for (int j = 0; j < n_views; ++j) see(j, c, at, k, views[j]);
      put_in_tiles(g, t, views, far, merges(g, mine, views) ? mine.inner : columns, pitch);
      turn_all<false>(g, mine, far, pitch);
      loops::run_units(mine, 0, n);
      turn_all<true>(g, mine, far, pitch);
    }
  }
  /// `size` elements of a single row, few registers at a time, so that a processor fetches the next ones while it
  /// computes these. Views move from tile to tile: to place them anew would take as long as a small tile.
  static void run_row(groups const& g, loop_numbers& mine, view_numbers* views, view_numbers* far, std::int64_t size) {
    std::int64_t by[n_tiles], alone_by[n_views];  // bytes from tile to tile
    for (int i = 0; i < g.count; ++i) by[i] = g.columns * far[i].inner * kinds[g.first(i)].bytes;
    for (int i = 0; i < g.n_alone; ++i)
      alone_by[i] = g.columns * views[g.alone[i]].inner * std::max(kinds[g.alone[i]].bytes, 1);
    typename loops::line line(mine);
    for (std::int64_t k = 0; k < size; k += g.columns) {
      mine.inner = std::min(g.columns, size - k);
      turn_all<false>(g, mine, far, g.columns);
      line.run(mine);
      turn_all<true>(g, mine, far, g.columns);
      for (int i = 0; i < g.count; ++i) far[i].data = static_cast<char*>(far[i].data) + by[i];
      for (int i = 0; i < g.n_alone; ++i) {
        int const j = g.alone[i];
        if (kinds[j].bytes == 0) {
          line.move_ramp(j, alone_by[i]);
          continue;
        }
        line.move(j, alone_by[i]);
        if (in_tiles::of::picks) views[j].data = static_cast<char*>(views[j].data) + alone_by[i];  // of an index
      }
    }
    if (g.streams()) end_of_stream();
  }
  static void put_in_tiles(groups const& g, tiles& t, view_numbers* views, view_numbers* far, std::int64_t row,
                           std::int64_t pitch) {
    for (int i = 0; i < g.count; ++i) {
      far[i] = views[g.first(i)];
      for (int q = 0; q < g.all[i].n; ++q) {
        view_numbers& v = views[g.order[g.all[i].begin + q]];
        v.data = t.at + (g.all[i].tile + q) * pitch * bytes;
        v.outer[0] = row;
        v.inner = 1;
      }
    }
  }
  /// Tiles of all operands from where they belong, or of all results back.
  template <bool Back>
  static void turn_all(groups const& g, loop_numbers const& mine, view_numbers const* far, std::int64_t pitch) {
    for (int i = 0; i < g.count; ++i) {
      int const j = g.first(i), n = g.all[i].n;
      if ((j >= n_in) != Back) continue;
      if (!Back && in_tiles::of::picks && kinds[j].by >= 0) pick(j, n, mine, far[i], pitch);
      else if (Back && g.all[i].streams) stream(j, n, mine, far[i], pitch);
      else turn<Back>(j, n, mine, far[i], pitch);
    }
  }
  /// Do rows of some group follow each other in memory? Then they do in tiles, and are turned as one.
  static bool merges(groups const& g, loop_numbers const& mine, view_numbers const* views) {
    for (int i = 0; i < g.count; ++i) {
      int const j = g.first(i);
      if (g.all[i].n > 1 && kinds[j].by < 0 && views[j].outer[0] == mine.inner * views[j].inner) return true;
    }
    return false;
  }
  /// View j of these rows from place k on.
  static void see(int j, loop_numbers const& c, std::int64_t const* at, std::int64_t k, view_numbers& w) {
    view_numbers const& v = c.views[j];
    std::int64_t const offset = (at ? row_offset(c, v, at) : 0) + k * v.inner;
    w.outer[0] = at ? v.outer[c.n_outer - 1] : 0;
    w.inner = v.inner;
    w.gather_stride = v.gather_stride;
    w.gather_size = v.gather_size;
    w.first = v.first + offset;
    w.data = static_cast<char*>(v.data) + offset * kinds[j].bytes;
  }
  /// The tiles of view j and the n - 1 behind it, from the rows that the index picks.
  static void pick(int j, int n, loop_numbers const& mine, view_numbers const& far, std::int64_t pitch) {
    auto const &k = kinds[std::size_t(j)], &of_index = kinds[std::size_t(k.by)];
    view_numbers const& index = mine.views[k.by];
    for (std::int64_t r = 0; r < mine.rows; ++r) {
      rows_by_index const rows{static_cast<char const*>(index.data) + r * index.outer[0] * of_index.bytes,
                               of_index.d,
                               index.inner,
                               mine.inner,
                               far.gather_size,
                               far.gather_stride,
                               far.inner};
      std::int64_t const from = r * far.outer[0], to = r * mine.views[j].outer[0];
      if (k.bytes == 4) pick_tile<float>(k.d, far.data, from, rows, n, mine.views[j].data, to, pitch);
      else pick_tile<double>(k.d, far.data, from, rows, n, mine.views[j].data, to, pitch);
    }
  }
  template <class T> static void pick_tile(dtype d, void const* memory, std::int64_t from, rows_by_index const& rows,
                                           int n, void* tiles, std::int64_t to, std::int64_t pitch) {
    T const none = is_floating(d) ? std::numeric_limits<T>::quiet_NaN() : T(0);
    pick_tiles(static_cast<T const*>(memory) + from, rows, n, none, static_cast<T*>(tiles) + to,
               pitch * bytes / int(sizeof(T)));
  }
  /// The tiles of result j and the n - 1 behind it, which are more than caches hold: turned where the first cache has
  /// them, and from there past all of them.
  ETNA_NOINLINE static void stream(int j, int n, loop_numbers const& mine, view_numbers const& far,
                                   std::int64_t pitch) {
    constexpr std::int64_t some = in_tiles::least_columns;
    alignas(64) unsigned char together[n_tiles * some * bytes];
    of_bytes(kinds[j].bytes, [&]<class T>(T*) {
      T* const rows = reinterpret_cast<T*>(together);
      for (std::int64_t k = 0; k < mine.inner; k += some) {
        std::int64_t const size = std::min(some, mine.inner - k);
        transpose_tile<T>(static_cast<T const*>(mine.views[j].data) + k, pitch * bytes / std::int64_t(sizeof(T)), size,
                          n, rows, n);
        stream_elements(rows, static_cast<T*>(far.data) + k * n, size * n);
      }
    });
  }
  /// The tiles of view j and the n - 1 behind it, from where they belong, or back.
  template <bool Back>
  static void turn(int j, int n, loop_numbers const& mine, view_numbers const& far, std::int64_t pitch) {
    int const size = kinds[j].bytes;
    char *tile = static_cast<char*>(mine.views[j].data), *memory = static_cast<char*>(far.data);
    auto copy = [&](std::int64_t row, std::int64_t rows, std::int64_t inner, std::int64_t of_tile) ETNA_INLINE_LAMBDA {
      if (Back) copy_tile(size, tile, 1, of_tile, inner, rows, memory, far.inner);
      else copy_tile(size, memory, row, far.inner, rows, inner, tile, of_tile);
    };
    std::int64_t const row = mine.views[j].outer[0];
    if (mine.rows == 1 && n > 1 && size == bytes && bytes >= 4) {  // a call less, for tiles of few registers
      using T = std::conditional_t<bytes == 4, float, double>;
      T *near = static_cast<T*>(mine.views[j].data), *there = static_cast<T*>(far.data);
      if (Back) transpose_tile<T>(near, pitch, mine.inner, n, there, far.inner);
      else transpose_tile<T>(there, far.inner, n, mine.inner, near, pitch);
      return;
    }
    if (n == 1) return copy(far.outer[0], mine.rows, mine.inner, row);
    if (row == mine.inner && far.outer[0] == row * far.inner)
      return copy(1, n, mine.rows * mine.inner, pitch * bytes / size);
    for (std::int64_t r = 0; r < mine.rows; ++r, tile += row * size, memory += far.outer[0] * size)
      copy(1, n, mine.inner, pitch * bytes / size);
  }
};

}  // namespace etna::lower
