// SPDX-License-Identifier: BSD-3-Clause
// Which operands and results of a pointwise loop have tiles, copies in the order of its rows, and which of these lie
// side by side in memory, so that they are turned together.
// Read next: transposed.hpp.
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
  static constexpr bool picks = [] {
    for (int j = 0; j < inputs::n_in; ++j)
      if (turns(j) && inputs::facts.inputs[std::size_t(j)].by >= 0) return true;
    return false;
  }();
  using R = reading<in_order>;
  static constexpr bool pays = n_tiles > 0 && R::lanes::width > 1 && R::n_windows == 0;
};

/// The views of such a kernel.
template <class K> struct views_in_tiles {
  using of = in_row_order<K>;
  using F = typename fused<typename of::in_order>::F;
  static constexpr int n_in = F::n_in, n_views = n_in + F::n_out, n_tiles = of::n_tiles;
  /// A tile of a single row has a multiple of these columns.
  static constexpr std::int64_t least_columns = std::max(4 * F::lanes::width, of::picks ? some_rows : 0);

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
  /// Of the widest element that has a tile: of a register's, or of an index.
  static constexpr int bytes = [] {
    int most = int(sizeof(typename F::lanes::template of<float>)) / F::lanes::width;
    for (kind const& k : kinds)
      if (k.has_tile) most = std::max(most, k.bytes);
    return most;
  }();
  /// Views that have tiles, by place in memory; picked ones behind others, which may be their index. Those that are its
  /// next columns, as the components of vectors, are a group, and turned together.
  struct groups {
    struct group {
      int begin, n, tile;  // the first of its tiles
      bool streams;        // results that go past the caches
    };
    int order[n_tiles], count = 0;
    group all[n_tiles];
    int alone[n_views], n_alone = 0;  // without a tile, and not standing still
    std::int64_t columns;             // of the tiles of a single row

    int first(int group) const { return order[all[group].begin]; }
    bool streams() const {
      for (int i = 0; i < count; ++i)
        if (all[i].streams) return true;
      return false;
    }
    explicit groups(loop_numbers const& c) {
      int n = 0;
      for (int j = 0; j < n_views; ++j) {
        if (!kinds[j].has_tile || (j >= n_in && c.views[j].inner == 1)) continue;
        int k = n++;
        for (; k > 0 && is_before(c, j, order[k - 1]); --k) order[k] = order[k - 1];
        order[k] = j;
      }
      int tiles = 0;
      for (int k = 0, with; k < n; k += with) {
        int const j = order[k];
        for (with = 1; k + with < n && is_beside(c, j, order[k + with], with);) ++with;
        // A result that would be put back one by one is stored so, and many of 8 bytes, whose squares gain nothing.
        bool const gains = with > 1 ? kinds[j].bytes < 8 || with <= tuning::transposed_tile::results_of_8_bytes
                                    : outer_step(c, j) == 1;
        bool const streams = j >= n_in && c.non_temporal && c.n_outer == 0 && with > 1 && c.views[j].inner == with;
        if (j >= n_in && !gains && !streams) continue;
        all[count++] = {k, with, tiles, streams};
        tiles += with;
      }
      bool has_tile[n_views]{};
      std::int64_t moved = 0;  // bytes of a column
      for (int i = 0; i < count; ++i)
        for (int q = all[i].begin; q < all[i].begin + all[i].n; ++q) has_tile[order[q]] = true;
      for (int j = 0; j < n_views; ++j) {
        if (c.views[j].inner == 0) continue;
        moved += kinds[j].bytes;
        if (!has_tile[j]) alone[n_alone++] = j;
      }
      std::int64_t const all_tiles = moved * c.inner > tuning::transposed_tile::far
                                         ? tuning::transposed_tile::in_far_line
                                         : tuning::transposed_tile::in_line;
      columns = std::max(all_tiles / bytes / std::max(tiles, 1), least_columns) / least_columns * least_columns;
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
};

}  // namespace etna::lower
