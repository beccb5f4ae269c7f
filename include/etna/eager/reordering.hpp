// SPDX-License-Identifier: BSD-3-Clause
// Reference evaluation of blocks, running values and sorting. Read next: interpreter.hpp.
#pragma once
#include <algorithm>
#include <vector>

#include "reference.hpp"

namespace etna::eager {

/// Visit a block of x: f(flat index in the block, flat index in x).
template <class F> inline void for_each_in_block(tensor_type const& x, tensor_type const& block, extent const* start,
                                                 extent const* step, F&& f) {
  extent full[max_rank]{}, stride[max_rank]{}, first = 0;
  row_major(x, full);
  for (int k = 0; k < x.rank; ++k) {
    first += start[k] * full[k];
    stride[k] = step[k] * full[k];
  }
  for_each_index(block, stride, [&](extent i, extent at) { f(i, first + at); });
}
inline void copy_element(call const& c, void const* from, extent i, void* to, extent k) {
  std::size_t b = std::size_t(bytes_of(c.out_type[0].d));
  std::memcpy(static_cast<char*>(to) + std::size_t(k) * b, static_cast<char const*>(from) + std::size_t(i) * b, b);
}
inline void copy_first(call const& c) {
  std::memcpy(c.out[0], c.in[0], std::size_t(c.out_type[0].size() * bytes_of(c.out_type[0].d)));
}
/// Strides of an array's windows: of their places, then of the elements of a window.
template <class Dim, class F>
inline void window_strides(tensor_type const& of, std::int64_t const* attr, F const& window, extent* stride) {
  extent full[max_rank]{};
  row_major(of, full);
  for (int i = 0, at = of.rank; i < of.rank; ++i) {
    ops::window_dim const w = window(Dim::read(attr, i));
    stride[i] = full[i] * w.step;
    if (w.there()) stride[at++] = full[i] * w.dilation;
  }
}
/// Each element added to that of the result where `stride` sends it: rounded once.
template <class X> inline void add_strided(call const& c, extent const* stride) {
  extent const n = c.out_type[0].size();
  scratch<X> sum(n);
  for (extent i = 0; i < n; ++i) sum[i] = 0;
  for_each_index(c.in_type[0], stride,
                 [&](extent i, extent at) { sum[at] += load_one<X>(c.in_type[0].d, c.in[0], i); });
  store(c.out_type[0].d, c.out[0], 0, n, sum.data());
}
struct starts_of {
  extent at[max_rank]{}, one[max_rank]{};
  starts_of(call const& c, int operand, tensor_type const& block) {
    for (int k = 0; k < block.rank; ++k) {
      extent s = load_one<std::int64_t>(c.in_type[operand].d, c.in[operand], k);
      at[k] = std::max<extent>(0, std::min(s, c.in_type[0].e[k] - block.e[k]));
      one[k] = 1;
    }
  }
};
/// Visit an axis line by line, in its direction: f(flat index, place on the axis, whether the line begins).
template <class F> inline void for_each_line(call const& c, F&& f) {
  tensor_type const& x = c.in_type[0];
  ops::walk_dims const w = ops::walk_dims::read(c.attr);
  extent full[max_rank]{}, none[max_rank]{}, n = x.e[w.axis];
  row_major(x, full);
  tensor_type heads = x;
  heads.e[w.axis] = n > 0;
  std::copy(full, full + max_rank, none);
  for_each_index(heads, none, [&](extent, extent at) {
    for (extent i = 0; i < n; ++i) {
      extent k = w.back ? n - 1 - i : i;
      f(at + k * full[w.axis], k, i == 0);
    }
  });
}
template <class X> inline void cumsum_in(call const& c) {
  X s = 0;
  for_each_line(c, [&](extent at, extent, bool first) {
    s = (first ? X(0) : s) + load_one<X>(c.in_type[0].d, c.in[0], at);
    store_one(c.out_type[0].d, c.out[0], at, s);
  });
}
template <class X> inline void recurrence_in(call const& c) {
  X h = 0;
  for_each_line(c, [&](extent at, extent, bool first) {
    X b = load_one<X>(c.in_type[1].d, c.in[1], at);
    h = first ? b : load_one<X>(c.in_type[0].d, c.in[0], at) * h + b;
    store_one(c.out_type[0].d, c.out[0], at, h);
  });
}
template <class X> inline void extreme_in(call const& c, bool greatest) {
  X best = 0;
  extent where = 0;
  for_each_line(c, [&](extent at, extent k, bool first) {
    X x = load_in_order<X>(c.in_type[0].d, c.in[0], at);
    if (first || (greatest ? x > best : x < best) || (x != x && best == best)) {
      best = x;
      where = k;
    }
    store_in_order(c.out_type[0].d, c.out[0], at, best);
    store_one(dtype::i32, c.out[1], at, where);
  });
}
template <class X> inline void sort_in(call const& c) {
  extent n = c.in_type[0].e[c.in_type[0].rank - 1], first = c.out_type[0].e[c.in_type[0].rank - 1],
         rows = n == 0 ? 0 : c.in_type[0].size() / n;
  std::vector<std::pair<X, extent>> row(static_cast<std::size_t>(n));
  for (extent r = 0; r < rows; ++r) {
    for (extent i = 0; i < n; ++i) row[std::size_t(i)] = {load_in_order<X>(c.in_type[0].d, c.in[0], r * n + i), i};
    auto before = [](X a, X b) { return b != b ? a == a : a < b; };
    std::stable_sort(row.begin(), row.end(), [&](auto const& a, auto const& b) {
      return c.attr[0] ? before(b.first, a.first) : before(a.first, b.first);
    });
    for (extent i = 0; i < first; ++i) {
      copy_element(c, c.in[0], r * n + row[std::size_t(i)].second, c.out[0], r * first + i);
      store_one(dtype::i32, c.out[1], r * first + i, row[std::size_t(i)].second);
    }
  }
}

}  // namespace etna::eager

namespace etna::ops {

inline void slice_p::reference(call const& c) {
  extent start[max_rank]{}, step[max_rank]{};
  for (int k = 0; k < c.in_type[0].rank; ++k) {
    slice_dim const s = slice_dim::read(c.attr, k);
    start[k] = s.start;
    step[k] = s.step;
  }
  eager::for_each_in_block(c.in_type[0], c.out_type[0], start, step,
                           [&](extent i, extent at) { eager::copy_element(c, c.in[0], at, c.out[0], i); });
}
inline void windows_p::reference(call const& c) {
  extent stride[max_rank]{};
  eager::window_strides<window_dim>(
      c.in_type[0], c.attr, [](window_dim const& d) { return d; }, stride);
  eager::copy_strided(c, stride);
}
inline void overlap_add_p::reference(call const& c) {
  extent stride[max_rank]{};
  eager::window_strides<overlap_dim>(
      c.out_type[0], c.attr, [](overlap_dim const& d) { return d.window; }, stride);
  if (eager::all_whole(c, 1)) eager::add_strided<std::uint64_t>(c, stride);
  else eager::add_strided<double>(c, stride);
}
inline void update_p::reference(call const& c) {
  extent start[max_rank]{}, step[max_rank]{};
  for (int k = 0; k < c.in_type[0].rank; ++k) {
    update_dim const s = update_dim::read(c.attr, k);
    start[k] = s.start;
    step[k] = s.step;
  }
  eager::copy_first(c);
  eager::for_each_in_block(c.in_type[0], c.in_type[1], start, step,
                           [&](extent i, extent at) { eager::copy_element(c, c.in[1], i, c.out[0], at); });
}
inline void dynamic_slice_p::reference(call const& c) {
  eager::starts_of s(c, 1, c.out_type[0]);
  eager::for_each_in_block(c.in_type[0], c.out_type[0], s.at, s.one,
                           [&](extent i, extent at) { eager::copy_element(c, c.in[0], at, c.out[0], i); });
}
inline void dynamic_update_p::reference(call const& c) {
  eager::starts_of s(c, 2, c.in_type[1]);
  eager::copy_first(c);
  eager::for_each_in_block(c.in_type[0], c.in_type[1], s.at, s.one,
                           [&](extent i, extent at) { eager::copy_element(c, c.in[1], i, c.out[0], at); });
}
inline void last_at_p::reference(call const& c) {
  extent places = c.out_type[0].e[c.attr[0]], n = c.out_type[0].size(),
         each = places == 0 || n == 0 ? 0 : c.in_type[0].size() / (n / places);
  for (extent k = 0; k < n; ++k) {
    std::int64_t last = -1;
    for (extent i = 0; i < each; ++i) {
      std::int64_t at = eager::load_one<std::int64_t>(c.in_type[0].d, c.in[0], k / places * each + i);
      if (at == k % places || at + places == k % places) last = i;
    }
    eager::store_one(dtype::i32, c.out[0], k, last);
  }
}
inline void cumsum_p::reference(call const& c) {
  if (eager::all_whole(c, 1)) eager::cumsum_in<std::uint64_t>(c);
  else eager::cumsum_in<double>(c);
}
inline void recurrence_p::reference(call const& c) {
  if (eager::all_whole(c, 2)) eager::recurrence_in<std::uint64_t>(c);
  else eager::recurrence_in<double>(c);
}
inline void cummax_p::reference(call const& c) {
  if (eager::all_whole(c, 1)) eager::extreme_in<std::int64_t>(c, true);
  else eager::extreme_in<double>(c, true);
}
inline void cummin_p::reference(call const& c) {
  if (eager::all_whole(c, 1)) eager::extreme_in<std::int64_t>(c, false);
  else eager::extreme_in<double>(c, false);
}
inline void sort_p::reference(call const& c) {
  if (eager::all_whole(c, 1)) eager::sort_in<std::int64_t>(c);
  else eager::sort_in<double>(c);
}

}  // namespace etna::ops
