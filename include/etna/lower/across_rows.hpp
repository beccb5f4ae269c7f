// SPDX-License-Identifier: BSD-3-Clause
// Short rows, some of them side by side: each lane of a register has a row, so nothing is summed across a register, and
// each sum has the order of its row. Rows that lie in memory one behind the other are first transposed, and so are
// such results at last. Read next: stencil.hpp.
#pragma once
#include "joined_rows.hpp"
#include "transpose_tile.hpp"

namespace etna::lower {

/// Units of work are `rows_across` rows that follow each other in the last of the outer loops.
template <nest Nest, int Phases, class Body, class Unit> struct short_rows {
  using at = placing<kernel<nest::across_rows, Phases, Body, seen::across>>;
  using F = typename at::F;

  static std::int64_t units(loop_numbers const& c) { return row_group::units(c, together); }
  ETNA_NOINLINE static void run(loop_numbers const& c, std::int64_t from, std::int64_t to) {
    if constexpr (Nest == nest::joined_rows && !goes_along)
      if (c.inner > tuning::short_rows::summed) return one_behind_the_other(c, from, to);
    walk w(c);
    for (std::int64_t u = from; u < to;) u += w.some_units(u, to);
    if constexpr (goes_along)
      if (c.non_temporal) end_of_stream();
  }

 private:
  using state = typename F::state;
  using lanes = typename F::lanes;
  using registers_of_rows = typename F::template values<lanes>;
  static constexpr int n_in = F::n_in, n_views = n_in + F::n_out, n_places = n_views == 0 ? 1 : n_views;
  static constexpr int width = lanes::width, together = tuning::short_rows::summed_unit;
  static constexpr int widest = std::max(4, F::facts.widest);
  template <int Ph> using elements = typename F::template elements<Ph>;
  template <int Ph> using reductions = typename F::template reductions<Ph>;
  template <int Ph> using row_values = typename F::template row_values<Ph>;
  using views = std::make_integer_sequence<int, n_views>;
  template <int J> static constexpr bool is_in_memory = [] {
    if constexpr (J >= n_in) return true;
    else return F::template In_<J>::m != motion::strided_ramp;
  }();
  template <int J> static auto element_type() {
    if constexpr (J >= n_in) return std::type_identity<element_of<F::outs[J - n_in].d>>{};
    else return std::type_identity<element_of<F::template In_<J>::d>>{};
  }
  template <int J> using type_of = typename decltype(element_type<J>())::type;

  /// Rows that are too long for tiles.
  static void one_behind_the_other(loop_numbers const& c, std::int64_t from, std::int64_t to) {
    for (std::int64_t u = from; u < to; ++u) {
      row_group const group(c, u, together);
      std::int64_t first = 0;
      for (int i = 0; i < c.n_outer; ++i) first = first * c.outer[i] + group.first.at[i];
      fused<kernel<nest::rows, Phases, Body>, Unit>::run_units(c, first, first + group.rows);
    }
  }
  struct nothing {
    explicit nothing(loop_numbers const&) {}
  };
  static auto what_goes_along() {
    if constexpr (Nest != nest::joined_rows) return std::type_identity<nothing>{};
    else {
      using along = joined_rows<kernel<Nest, Phases, Body>>;
      using there = typename along::lanes;
      constexpr bool same = there::width > 1 && std::is_same_v<there, lanes>;
      return std::type_identity<std::conditional_t<same, along, nothing>>{};
    }
  }
  using along_rows = typename decltype(what_goes_along())::type;
  static constexpr bool goes_along = !std::is_same_v<along_rows, nothing>;

  struct walk {
    struct tile {
      alignas(64) unsigned char at[tuning::short_rows::summed * together * widest];
    };
    loop_numbers const& c;
    view_numbers across[n_places];   // inner is from row to row, outer[0] from element to element
    view_numbers in_tile[n_places];  // where the rows have been copied
    bool turns[n_places];
    void* begin[n_places];         // of the rows in the registers
    std::int64_t first[n_places];  // of ramps
    state s;
    typename F::kept_row kept;
    tile tiles[n_places];
    bool joins = false;  // rows are summed along, and not turned
    along_rows along;

    explicit walk(loop_numbers const& c) : c(c), along(c) {
      if constexpr (goes_along) joins = along_rows::takes(c);
      // of 4 bytes, narrower registers turn what is less than one
      bool const pays = !joins && c.n_mid == 0 && c.inner >= (widest == 4 ? tuning::short_rows::least_turned : width);
      for (int j = 0; j < n_views; ++j) {
        view_numbers const& v = c.views[j];
        std::int64_t const row = v.outer[c.n_outer - 1];
        turns[j] = pays && v.data && v.inner == 1 && row != 0 && row != 1;
        across[j] = v;
        across[j].inner = row;
        across[j].outer[0] = v.inner;
        in_tile[j] = across[j];
        if (!v.data) continue;  // a ramp
        in_tile[j].inner = 1;
        bool moves = v.inner != 0;
        for (int i = 0; i < c.n_mid; ++i) moves = moves || v.mid[i] != 0;
        std::int64_t step = moves ? together : 0;
        in_tile[j].outer[0] = step;
        step *= c.inner;
        for (int i = c.n_mid - 1; i >= 0; step *= c.mid_extent[i--]) in_tile[j].mid[i] = step;
        if (turns[j]) across[j] = in_tile[j];
      }
      at::begin(c, s);
      s.kept = &kept;
    }
    /// Unit u, and if nothing is turned those behind it up to `to` that follow in memory; so many were computed.
    std::int64_t some_units(std::int64_t u, std::int64_t to) {
      row_group const group(c, u, together, joins ? to - u : 1);
      std::int64_t const rows = group.rows;
      for (int j = 0; j < n_views; ++j) s.origin[j] = row_offset(c, c.views[j], group.first.at);
      each_view([&]<int J>() { turn_in<J>(rows); });
      if constexpr (goes_along)
        if (joins) along.start(group.first);
      std::int64_t k = 0;
      s.v = across;
      for (; k + width <= rows; k += width) {
        each_view([&]<int J>() { start_at<J>(k); });
        side_by_side(width);
      }
      if (k < rows) {  // fewer than a register has: copies of them are in tiles
        s.v = in_tile;
        each_view([&]<int J>() { copy<J, false>(k, rows); });
        side_by_side(rows - k);
        each_view([&]<int J>() { copy<J, true>(k, rows); });
      }
      each_view([&]<int J>() { turn_out<J>(rows); });
      return (rows + together - 1) / together;
    }

    template <class Each> ETNA_INLINE static void each_view(Each f) {
      [&]<int... J>(std::integer_sequence<int, J...>)
          ETNA_INLINE_LAMBDA { (f.template operator()<J>(), ...); }(views{});
    }
    template <int J> type_of<J>* in_memory() const { return static_cast<type_of<J>*>(c.views[J].data) + s.origin[J]; }
    template <int J> type_of<J>* of_tile() { return reinterpret_cast<type_of<J>*>(tiles[J].at); }
    template <int J> void turn_in(std::int64_t rows) {
      if constexpr (J < n_in && is_in_memory<J>)
        if (turns[J]) {
          transpose_tile<type_of<J>>(in_memory<J>(), c.views[J].outer[c.n_outer - 1], c.inner, rows, of_tile<J>(),
                                     together);
          for (std::int64_t e = 0; e < c.inner && rows % width != 0; ++e)
            fill(of_tile<J>() + e * together + rows, width - rows % width);
        }
    }
    /// The last row once more, where a register has room for more.
    template <class T> static void fill(T* at, std::int64_t n) { std::fill_n(at, n, at[-1]); }
    template <int J> void turn_out(std::int64_t rows) {
      if constexpr (J >= n_in)
        if (turns[J])
          transpose_tile<type_of<J>>(of_tile<J>(), together, rows, c.inner, in_memory<J>(),
                                     c.views[J].outer[c.n_outer - 1]);
    }
    template <int J> void start_at(std::int64_t k) {
      std::int64_t const o = k * across[J].inner;
      if constexpr (!is_in_memory<J>) first[J] = c.views[J].first + s.origin[J] + o;
      else begin[J] = (turns[J] ? of_tile<J>() : in_memory<J>()) + o;
    }
    /// Rows [k, rows) into the tile, or out of it.
    template <int J, bool Out> void copy(std::int64_t k, std::int64_t rows) {
      if (!Out) start_at<J>(k);
      if constexpr (is_in_memory<J>) {
        if (turns[J]) return;
        type_of<J>*x = in_memory<J>() + k * across[J].inner, *y = of_tile<J>();
        begin[J] = y;
        if ((J >= n_in) != Out) return;
        bool const moves = in_tile[J].outer[0] != 0;
        if (moves && joins) return;
        index_walk mid = mid_walk(c);
        for (std::int64_t m = 0; m < (moves ? c.mid : 1); ++m, mid.next())
          for (std::int64_t e = 0; e < (moves ? c.inner : 1); ++e) {
            type_of<J>* far = x + mid_offset(c, c.views[J], mid.at) + e * c.views[J].inner;
            type_of<J>* near = y + (m * c.inner + e) * in_tile[J].outer[0];
            for (std::int64_t r = 0; r < rows - k; ++r) {
              if constexpr (Out) far[r * across[J].inner] = near[r];
              else near[r] = far[r * across[J].inner];
            }
            if constexpr (!Out) fill(near + (rows - k), width - (rows - k));
          }
      }
    }

    void side_by_side([[maybe_unused]] std::int64_t rows) {
      registers_of_rows r;
      state mine = s;  // of this function alone, so that its parts may be registers
      if constexpr (goes_along)
        if (joins) {
          along.sum(rows, r);
          seek(mine, nullptr);
          values(mine, r, reductions<0>{});
          return values(mine, r, row_values<1>{});
        }
      phase<0>(mine, r);
    }
    template <int Ph> ETNA_INLINE void phase(state& s, registers_of_rows& r) {
      seek(s, nullptr);
      values(s, r, row_values<Ph>{});
      if constexpr (Ph < Phases) {
        start(r, reductions<Ph>{});
        s.at = 0;
        if (c.n_mid == 0) row<Ph>(s, r);
        else {
          index_walk mid = mid_walk(c);
          for (std::int64_t m = 0; m < c.mid; ++m, mid.next()) {
            seek(s, mid.at);
            row<Ph>(s, r);
          }
        }
        seek(s, nullptr);
        values(s, r, reductions<Ph>{});
        phase<Ph + 1>(s, r);
      }
    }
    template <int Ph> ETNA_INLINE void row(state& s, registers_of_rows& r) {
      for (std::int64_t e = c.inner; e > 0; --e) {
        step<Ph>(s, r, elements<Ph>{}, reductions<Ph>{});
        each_view([&]<int J>() ETNA_INLINE_LAMBDA { advance<J>(s); });
        ++s.at;
      }
    }
    template <int... R>
    ETNA_INLINE static void start([[maybe_unused]] registers_of_rows& r, std::integer_sequence<int, R...>) {
      (F::template start<lanes, R>(r), ...);
    }
    template <int... Nth> ETNA_INLINE static void values([[maybe_unused]] state& s,
                                                         [[maybe_unused]] registers_of_rows& r,
                                                         std::integer_sequence<int, Nth...>) {
      (F::template column_value<lanes, Nth>(s, r, 0), ...);
    }
    template <int Ph, int... Nth, int... R> ETNA_INLINE static void step(state& s, registers_of_rows& r,
                                                                         std::integer_sequence<int, Nth...>,
                                                                         std::integer_sequence<int, R...>) {
      (F::template element<lanes, Ph, true, Nth>(s, r, 0), ...);
      (F::template accumulate<lanes, R>(s, r, r, 0), ...);
    }
    /// Move all views to the begin of the rows, or to this place of the reduced axes that are not the innermost loop.
    ETNA_INLINE void seek(state& s, std::int64_t const* mid) {
      each_view([&]<int J>() ETNA_INLINE_LAMBDA {
        std::int64_t const o = mid ? mid_offset(c, s.v[J], mid) : 0;
        if constexpr (is_in_memory<J>) s.p[J] = static_cast<type_of<J>*>(begin[J]) + o;
        else s.base[J] = first[J] + o;
      });
    }
    template <int J> ETNA_INLINE static void advance(state& s) {
      if constexpr (is_in_memory<J>) s.p[J] = static_cast<type_of<J>*>(s.p[J]) + s.v[J].outer[0];
      else s.base[J] += s.v[J].outer[0];
    }
  };
};

template <int Phases, class Body, seen As, class Unit> struct fused<kernel<nest::across_rows, Phases, Body, As>, Unit>
    : short_rows<nest::across_rows, Phases, Body, Unit> {};
template <int Phases, class Body, seen As, class Unit> struct fused<kernel<nest::joined_rows, Phases, Body, As>, Unit>
    : short_rows<nest::joined_rows, Phases, Body, Unit> {};

}  // namespace etna::lower
