// SPDX-License-Identifier: BSD-3-Clause
// Pointwise loops that read an operand across its memory, as a transposed one, or short rows of it that an index picks,
// or write a result so, as the third component of vectors: some rows at a time, a tile of the operand is first copied
// in their order, and a tile of the result is put where it belongs at last. So each line of memory is touched once, and
// all elements move in registers.
// Read next: flat.hpp.
#pragma once
#include "across_rows.hpp"
#include "picked_rows.hpp"

namespace etna::lower {

/// The same kernel where strided and picked inputs and strided results are tiles in their rows' order.
template <class K> struct in_row_order {
  static constexpr bool pays = false;
};
template <int Phases, class Body> struct in_row_order<kernel<nest::pointwise, Phases, Body>> {
  using in_order = kernel<nest::pointwise, Phases, Body, seen::turned>;
  using inputs = facts_of<kernel<nest::pointwise, Phases, Body>>;
  static constexpr bool turns(int input) { return inputs::facts.inputs[std::size_t(input)].is_turned; }
  static constexpr int n_turned = [] {
    int turned = 0;
    for (int j = 0; j < inputs::n_in; ++j) turned += turns(j);
    return turned;
  }();
  static constexpr int n_apart = [] {
    int apart = 0;
    for (int i = 0; i < inputs::n; ++i) {
      statement_fact const& s = inputs::facts.statements[std::size_t(i)];
      apart += s.lies_apart ? s.out_count : 0;
    }
    return apart;
  }();
  static constexpr int n_tiles = n_turned + n_apart;
  using R = reading<in_order>;
  static constexpr bool pays = n_tiles > 0 && R::lanes::width > 1 && R::n_windows == 0;
};

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
  using of = in_row_order<kernel<nest::pointwise, Phases, Body>>;
  using loops = fused<typename of::in_order>;
  using F = typename loops::F;
  static constexpr int n_in = F::n_in, n_views = n_in + F::n_out, n_tiles = of::n_tiles;
  // Of the widest element
  static constexpr int bytes = int(sizeof(typename F::lanes::template of<float>)) / F::lanes::width;
  static constexpr std::int64_t rows = tuning::transposed_tile::rows,
                                columns = bytes == 4 ? tuning::transposed_tile::columns_of_4_bytes
                                                     : tuning::transposed_tile::columns_of_8_bytes;
  /// Of a single row: so much of all operands that the first cache holds it.
  static constexpr std::int64_t in_line =
      std::max(columns, tuning::transposed_tile::in_line / bytes / n_tiles / columns * columns);
  /// Of several rows: fewer of them where there are many operands.
  static constexpr std::int64_t together = std::clamp<std::int64_t>(tuning::transposed_tile::all / n_tiles, 1, rows);
  struct tiles {
    alignas(64) unsigned char at[std::max(n_tiles * together * columns, n_tiles* in_line) * bytes];
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
  /// A view: bytes of an element, or 0 of a ramp; may it have a tile; and the input that is its index, or -1.
  struct kind {
    int bytes;
    bool has_tile;
    int by = -1;
    dtype d = dtype::boolean;  // of an input's elements
  };
  static constexpr auto kinds = [] {
    std::array<kind, std::size_t(n_views)> k{};
    for (int j = 0; j < n_in; ++j) {
      input_fact const& x = of::inputs::facts.inputs[std::size_t(j)];
      k[std::size_t(j)] = {planning::is_ramp(x.m) ? 0 : bytes_of(x.d), of::turns(j), x.by, x.d};
    }
    for (int j = n_in; j < n_views; ++j) {
      auto const out = F::outs[std::size_t(j - n_in)];
      k[std::size_t(j)] = {bytes_of(out.d), out.lies_apart};
    }
    return k;
  }();
  static constexpr bool picks = [] {
    for (kind const& k : kinds)
      if (k.by >= 0) return true;
    return false;
  }();
  /// Views that have tiles, by place in memory; picked ones behind others, which may be their index. Those that are its
  /// next columns, as the components of vectors, are a group, and turned together.
  struct groups {
    struct group {
      int begin, n;
    };
    int order[of::n_tiles], count = 0;
    group all[of::n_tiles];

    explicit groups(loop_numbers const& c) {
      int n = 0;
      for (int j = 0; j < n_views; ++j) {
        if (!kinds[j].has_tile || (j >= n_in && c.views[j].inner == 1)) continue;
        int k = n++;
        for (; k > 0 && is_before(c, j, order[k - 1]); --k) order[k] = order[k - 1];
        order[k] = j;
      }
      for (int k = 0, with; k < n; k += with) {
        int const j = order[k];
        for (with = 1; k + with < n && is_beside(c, j, order[k + with], with);) ++with;
        // A result that would be put back one by one is stored so, and many of 8 bytes, whose squares gain nothing.
        bool const gains = with > 1 ? kinds[j].bytes < 8 || with <= tuning::transposed_tile::results_of_8_bytes
                                    : outer_step(c, j) == 1;
        if (j < n_in || gains) all[count++] = {k, with};
      }
    }
    static bool is_before(loop_numbers const& c, int j, int i) {
      if ((j >= n_in) != (i >= n_in)) return false;
      return kinds[j].by != kinds[i].by ? kinds[j].by < kinds[i].by : c.views[j].data < c.views[i].data;
    }
    static std::int64_t outer_step(loop_numbers const& c, int j) {
      return c.n_outer == 0 ? 0 : c.views[j].outer[c.n_outer - 1];
    }
    static bool is_beside(loop_numbers const& c, int j, int i, int by) {
      if (kinds[j].by >= 0 && (kinds[i].by != kinds[j].by || c.views[i].gather_size != c.views[j].gather_size ||
                               c.views[i].gather_stride != c.views[j].gather_stride))
        return false;
      return kinds[i].bytes == kinds[j].bytes && (i >= n_in) == (j >= n_in) && c.views[i].inner == c.views[j].inner &&
             outer_step(c, i) == outer_step(c, j) &&
             c.views[i].data == static_cast<char*>(c.views[j].data) + by * kinds[j].bytes;
    }
  };

  /// n rows that follow each other in the last of the outer loops; the first is `at`.
  static void run_rows(loop_numbers const& c, groups const& g, std::int64_t const* at, std::int64_t n,
                       std::int64_t from, std::int64_t to) {
    tiles t;
    view_numbers views[n_views], far[of::n_tiles];  // far: the first of a group, where it belongs
    loop_numbers mine{};
    mine.views = views;
    mine.numbers = c.numbers;
    mine.n_outer = 1;
    mine.mid = 1;
    mine.rows = mine.outer[0] = n;
    // Tiles of a single row lie side by side, so that no two are in the same places of the cache.
    std::int64_t const width = n == 1 ? in_line : columns, pitch = n == 1 ? in_line : together * columns;
    for (std::int64_t k = from; k < to; k += width) {
      mine.inner = std::min(width, to - k);
      for (int j = 0; j < n_views; ++j) see(j, c, at, k, views[j]);
      std::int64_t const row = merges(g, mine, views) ? mine.inner : columns;
      for (int i = 0; i < g.count; ++i) {
        auto const [begin, with] = g.all[i];
        far[i] = views[g.order[begin]];
        for (int q = begin; q < begin + with; ++q) {
          view_numbers& v = views[g.order[q]];
          v.data = t.at + q * pitch * bytes;
          v.outer[0] = row;
          v.inner = 1;
        }
        if (int const j = g.order[begin]; j < n_in) {
          if (picks && kinds[j].by >= 0) pick(j, with, mine, far[i], pitch);
          else turn<false>(j, with, mine, far[i], pitch);
        }
      }
      loops::run_units(mine, 0, n);
      for (int i = 0; i < g.count; ++i)
        if (int const j = g.order[g.all[i].begin]; j >= n_in) turn<true>(j, g.all[i].n, mine, far[i], pitch);
    }
  }
  /// Do rows of some group follow each other in memory? Then they do in tiles, and are turned as one.
  static bool merges(groups const& g, loop_numbers const& mine, view_numbers const* views) {
    if (mine.rows == 1) return false;
    for (int i = 0; i < g.count; ++i) {
      int const j = g.order[g.all[i].begin];
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
    kind const &k = kinds[j], &of_index = kinds[k.by];
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
  /// The tiles of view j and the n - 1 behind it, from where they belong, or back.
  template <bool Back>
  static void turn(int j, int n, loop_numbers const& mine, view_numbers const& far, std::int64_t pitch) {
    int const size = kinds[j].bytes;
    char *tile = static_cast<char*>(mine.views[j].data), *memory = static_cast<char*>(far.data);
    auto copy = [&](std::int64_t row, std::int64_t rows, std::int64_t inner, std::int64_t of_tile) {
      if (Back) copy_tile(size, tile, 1, of_tile, inner, rows, memory, far.inner);
      else copy_tile(size, memory, row, far.inner, rows, inner, tile, of_tile);
    };
    std::int64_t const row = mine.views[j].outer[0];
    if (n == 1) return copy(far.outer[0], mine.rows, mine.inner, row);
    if (row == mine.inner && far.outer[0] == row * far.inner)
      return copy(1, n, mine.rows * mine.inner, pitch * bytes / size);
    for (std::int64_t r = 0; r < mine.rows; ++r, tile += row * size, memory += far.outer[0] * size)
      copy(1, n, mine.inner, pitch * bytes / size);
  }
};

}  // namespace etna::lower
