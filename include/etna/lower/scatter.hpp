// SPDX-License-Identifier: BSD-3-Clause
// scatter_add: the operand copied, then slices added one by one in order (indices may repeat, and the order of the sums
// is part of the result). Read next: by_thread.hpp.
#pragma once
#include <algorithm>
#include <cstring>
#include <type_traits>

#include <etna/ops/arithmetic.hpp>

#include "lanes.hpp"

namespace etna::lower {

struct scatter_numbers {
  void const* x;
  void const* index;
  void const* updates;
  void* out;
  std::int64_t batch, pre, n, places, post;  // x [batch, pre, n, post], index [batch, places],
  std::int64_t next_batch, next_place;       // which lies so

  double work() const {
    double const rows = double(batch) * double(pre) * double(post);
    return rows * (double(n) + tuning::scatter::operations * double(places));
  }
};

template <class T, class Index> struct scatter {
  /// Units of work: rows, or places of long ones. What is added to one place does not meet the others, so any share of
  /// them gives the same bits; a share of a row looks at all indices, and leaves out those of others.
  static std::int64_t units(scatter_numbers const& s) { return s.batch * s.pre * s.n / places_of_unit(s); }
  ETNA_NOINLINE static void run(scatter_numbers const& s, std::int64_t from, std::int64_t to) {
    if (from >= to) return;
    from *= places_of_unit(s);
    to *= places_of_unit(s);
    if (s.out != s.x)
      std::memcpy(static_cast<T*>(s.out) + from * s.post, static_cast<T const*>(s.x) + from * s.post,
                  std::size_t((to - from) * s.post) * sizeof(T));
    switch (s.post) {  // no loop over slices of a few elements
      case 1: return add(s, from, to, elements<1>{});
      case 2: return add(s, from, to, elements<2>{});
      case 3: return add(s, from, to, elements<3>{});
      case 4: return add(s, from, to, elements<4>{});
      default: return add(s, from, to, s.post);
    }
  }

 private:
  template <std::int64_t N> using elements = std::integral_constant<std::int64_t, N>;
  static constexpr std::int64_t rows_at_once = tuning::scatter::rows_at_once, block = tuning::scatter::block;

  static std::int64_t places_of_unit(scatter_numbers const& s) {
    return s.n * s.post * std::int64_t(sizeof(T)) >= tuning::scatter::long_row || s.n == 0 ? 1 : s.n;
  }
  /// Rows that have the same indices go together: an addition to a place waits for the one before it in its own row
  /// only.
  static void add(scatter_numbers const& s, std::int64_t from, std::int64_t to, auto post) {
    while (from < to) {
      std::int64_t const row = from / s.n, first = from - row * s.n, last = std::min(s.n, to - row * s.n);
      if (first > 0 || last < s.n) {
        add_some(s, row, first, last, post);
        from = row * s.n + last;
        continue;
      }
      std::int64_t const rows = std::min(to / s.n - row, s.pre - row % s.pre);
      if (std::is_integral_v<decltype(post)> || rows < rows_at_once) {
        add_rows(s, row, elements<1>{}, post);
        from += s.n;
      } else {
        add_rows(s, row, elements<rows_at_once>{}, post);
        from += rows_at_once * s.n;
      }
    }
  }
  /// Where a place of the axis is, which may be counted from its end; outside of [0, n): nowhere.
  static std::int64_t place(scatter_numbers const& s, Index const* index, std::int64_t i) {
    std::int64_t const at = std::int64_t(index[i * s.next_place]);
    return at + (at < 0 ? s.n : 0);
  }
  static Index const* indices(scatter_numbers const& s, std::int64_t row) {
    return static_cast<Index const*>(s.index) + row / s.pre * s.next_batch;
  }
  static void add_slice(T* to, T const* x, auto post) {
    for (std::int64_t q = 0; q < post; ++q) to[q] = ops::add_p::lower(to[q], x[q]);
  }
  static void add_rows(scatter_numbers const& s, std::int64_t row, auto rows, auto post) {
    Index const* const index = indices(s, row);
    T const* updates = static_cast<T const*>(s.updates) + row * s.places * post;
    T* const out = static_cast<T*>(s.out) + row * s.n * post;
    std::int64_t const next_out = s.n * post, next_updates = s.places * post;
    for (std::int64_t i = 0; i < s.places; ++i, updates += post) {
      std::int64_t const at = place(s, index, i);
      if (at < 0 || at >= s.n) continue;
      for (int r = 0; r < rows; ++r) add_slice(out + r * next_out + at * post, updates + r * next_updates, post);
    }
  }
  /// Places [first, last) of a row. Most indices have neighbours that are near, so whole blocks of them are here, or
  /// are not; those of other blocks are picked without a branch that nobody can foresee.
  static void add_some(scatter_numbers const& s, std::int64_t row, std::int64_t first, std::int64_t last, auto post) {
    Index const* const index = indices(s, row);
    T const* const updates = static_cast<T const*>(s.updates) + row * s.places * post;
    T* const out = static_cast<T*>(s.out) + row * s.n * post;
    auto is_here = [&](std::int64_t i) {
      return std::uint64_t(place(s, index, i) - first) < std::uint64_t(last - first);
    };
    for (std::int64_t b = 0; b < s.places; b += block) {
      std::int64_t const end = std::min(b + block, s.places);
      std::int64_t here = 0, which[block];
      for (std::int64_t i = b; i < end; ++i) here += is_here(i);
      if (here > 0 && here < end - b) {
        here = 0;
        for (std::int64_t i = b; i < end; ++i) {
          which[here] = i;
          here += is_here(i);
        }
        for (std::int64_t k = 0; k < here; ++k)
          add_slice(out + place(s, index, which[k]) * post, updates + which[k] * post, post);
      } else if (here > 0)
        for (std::int64_t i = b; i < end; ++i) add_slice(out + place(s, index, i) * post, updates + i * post, post);
    }
  }
};

}  // namespace etna::lower
