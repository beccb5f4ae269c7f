// SPDX-License-Identifier: BSD-3-Clause
// Pointwise loops over rows of few elements, some rows as one; and which loops run a kernel here. Read next:
// gemm.hpp.
#pragma once
#include "stencil.hpp"
#include "transposed.hpp"

namespace etna::lower {

/// Rows of few elements, one behind the other: results are a single row then, and operands that do not lie so are
/// copied into tiles, results out of them.
template <class K> class flat;
template <int Phases, class Body> class flat<kernel<nest::flat, Phases, Body>> {
  using loops = fused<kernel<nest::pointwise, Phases, Body, seen::side_by_side>>;

 public:
  using F = typename loops::F;
  /// Units of work are `flat_rows` rows that follow each other in the last of the outer loops.
  static std::int64_t units(loop_numbers const& c) { return row_group::units(c, together); }
  ETNA_NOINLINE static void run(loop_numbers const& c, std::int64_t from, std::int64_t to) {
    tiles t;
    for (std::int64_t u = from; u < to; ++u) unit(c, u, t);
  }

 private:
  static constexpr int n_in = F::n_in, n_views = n_in + F::n_out, together = tuning::short_rows::flat_unit;
  static constexpr int widest = F::facts.widest;
  template <int J> using In_ = typename F::template In_<J>;
  struct tiles {
    struct {
      alignas(64) unsigned char at[(together + 1) * tuning::short_rows::flat * widest];
    } tile[n_views];
    void const* has[n_in == 0 ? 1 : n_in] = {};  // rows that are all the same stay from unit to unit
    std::int64_t rows[n_in == 0 ? 1 : n_in] = {};
  };

  static void unit(loop_numbers const& c, std::int64_t u, tiles& t) {
    row_group const group(c, u, together);
    view_numbers views[n_views];
    loop_numbers mine{};
    mine.views = views;
    mine.numbers = c.numbers;
    mine.rows = mine.mid = 1;
    mine.inner = group.rows * c.inner;
    [&]<int... J>(std::integer_sequence<int, J...>) {
      (see<J>(c, group.first.at, group.rows, views[J], t), ...);
    }(std::make_integer_sequence<int, n_views>{});
    loops::run(mine, 0, 1);
    [&]<int... J>(std::integer_sequence<int, J...>) {
      (put_back<n_in + J>(c, group.first.at, group.rows, views[n_in + J]), ...);
    }(std::make_integer_sequence<int, F::n_out>{});
  }
  static bool lies_in_rows(loop_numbers const& c, view_numbers const& v) {
    return v.inner == 1 && v.outer[c.n_outer - 1] == c.inner;
  }
  template <int J>
  static void put_back(loop_numbers const& c, std::int64_t const* at, std::int64_t rows, view_numbers const& w) {
    using T = element_of<F::outs[J - n_in].d>;
    view_numbers const& v = c.views[J];
    if (lies_in_rows(c, v)) return;
    T* const to = static_cast<T*>(v.data) + row_offset(c, v, at);
    T const* const from = static_cast<T const*>(w.data);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t k = 0; k < c.inner; ++k) to[r * v.outer[c.n_outer - 1] + k * v.inner] = from[r * c.inner + k];
  }
  template <int J>
  static void see(loop_numbers const& c, std::int64_t const* at, std::int64_t rows, view_numbers& w, tiles& t) {
    view_numbers const& v = c.views[J];
    std::int64_t const offset = row_offset(c, v, at), row = v.outer[c.n_outer - 1];
    w.inner = 1;
    if constexpr (J >= n_in)
      w.data = lies_in_rows(c, v) ? static_cast<char*>(v.data) + offset * bytes_of(F::outs[J - n_in].d)
                                  : reinterpret_cast<char*>(t.tile[J].at);
    else {
      using T = element_of<In_<J>::d>;
      T* const to = reinterpret_cast<T*>(t.tile[J].at);
      w.data = to;
      if (!v.data) {  // a ramp
        for (std::int64_t r = 0; r < rows; ++r)
          for (std::int64_t k = 0; k < c.inner; ++k) to[r * c.inner + k] = T(v.first + offset + r * row + k * v.inner);
        return;
      }
      T* const from = static_cast<T*>(v.data) + offset;
      if (lies_in_rows(c, v)) {
        w.data = from;
        return;
      }
      if (row == 0 && t.has[J] == from && t.rows[J] >= rows) return;
      t.has[J] = from;
      t.rows[J] = rows;
      for (std::int64_t r = 0; r < rows; ++r)
        if (v.inner == 0)
          std::fill_n(to + r * c.inner, tuning::short_rows::flat,
                      from[r * row]);  // whole registers: the next row writes over what is too much
        else
          for (std::int64_t k = 0; k < c.inner; ++k) to[r * c.inner + k] = from[r * row + k * v.inner];
    }
  }
};

/// The loops of a kernel on processors with a cache.
template <class K> struct host_loops_of
    : std::conditional_t<in_row_order<K>::pays, std::type_identity<transposed<K>>, std::type_identity<fused<K>>> {};
template <int Phases, class Body> struct host_loops_of<kernel<nest::flat, Phases, Body>>
    : std::type_identity<flat<kernel<nest::flat, Phases, Body>>> {};
template <class K> using host_loops = typename host_loops_of<K>::type;

}  // namespace etna::lower
