// SPDX-License-Identifier: BSD-3-Clause
// Rows that are a step of their own, called with whole operands in memory: bodies on bytes, or a switch over element
// types. A program has those of its plan. Read next: ../exec/run.hpp.
#pragma once
#include <algorithm>
#include <cstring>

#include <etna/ops/table.hpp>

#include "digit_sort.hpp"

namespace etna::lower {

using ops::call;

/// A block of x, whose first element has the indices `at` and whose elements are `step` apart, and the same elements
/// one behind the other: put copies there, otherwise from there. Divided along the first axis into parts.
struct block_walk {
  tensor_type block;
  extent stride[max_rank]{};  // bytes
  extent offset = 0;
  int dense;  // axes from here on lie without gaps
  bool put;
  block_walk(tensor_type const& x, tensor_type const& b, extent const* at, extent const* step, bool put)
      : block(b), dense(b.rank), put(put) {
    extent s = bytes_of(x.d);
    for (int i = x.rank - 1; i >= 0; --i) {
      stride[i] = s * step[i];
      offset += s * at[i];
      if (dense == i + 1 && step[i] == 1 && (i + 1 == x.rank || b.e[i + 1] == x.e[i + 1])) dense = i;
      s *= x.e[i];
    }
  }
  void copy(void* packed, void* spread, std::int64_t from, std::int64_t to, std::int64_t parts) {
    auto *p = static_cast<char*>(packed), *s = static_cast<char*>(spread) + offset;
    if (block.size() == 0) return;
    if (parts > 1) {
      extent row = block.size() / block.e[0] * bytes_of(block.d), first = block.e[0] * from / parts;
      p += row * first;
      s += stride[0] * first;
      block.e[0] = block.e[0] * to / parts - first;
    }
    copy_from(0, p, s);
  }

 private:
  char* copy_from(int axis, char* packed, char* spread) const {
    if (axis >= dense) return copy_runs(1, 0, packed, spread);
    if (axis == dense - 1) return copy_runs(block.e[axis], stride[axis], packed, spread);
    for (extent i = 0; i < block.e[axis]; ++i) packed = copy_from(axis + 1, packed, spread + i * stride[axis]);
    return packed;
  }
  /// Runs of what lies side by side, these `step` apart. A call for each would take longer than short ones do.
  char* copy_runs(extent runs, extent step, char* packed, char* spread) const {
    extent n = bytes_of(block.d);
    for (int i = dense; i < block.rank; ++i) n *= block.e[i];
    auto each = [&](auto bytes) {
      for (extent i = 0; i < runs; ++i, packed += bytes, spread += step)
        std::memcpy(put ? spread : packed, put ? packed : spread, std::size_t(bytes));
    };
    switch (n) {
      case 4: each(std::integral_constant<extent, 4>{}); break;
      case 8: each(std::integral_constant<extent, 8>{}); break;
      case 12: each(std::integral_constant<extent, 12>{}); break;
      case 16: each(std::integral_constant<extent, 16>{}); break;
      default: each(n);
    }
    return packed;
  }
};
inline void start_from_first(call const& c) {
  if (c.out[0] != c.in[0])
    std::memcpy(c.out[0], c.in[0], std::size_t(c.out_type[0].size() * bytes_of(c.out_type[0].d)));
}
inline std::int64_t integer_at(dtype d, void const* p, std::int64_t i) {
  switch (d) {
    case dtype::u32: return static_cast<std::uint32_t const*>(p)[i];
    case dtype::i64:
    case dtype::u64: return static_cast<std::int64_t const*>(p)[i];
    default: return static_cast<std::int32_t const*>(p)[i];
  }
}
/// Where a block begins: run-time starts, clamped.
struct clamped_starts {
  extent at[max_rank]{}, step[max_rank]{};
  clamped_starts(call const& c, int operand, tensor_type const& x, tensor_type const& block) {
    for (int i = 0; i < x.rank; ++i) {
      std::int64_t s = integer_at(c.in_type[operand].d, c.in[operand], i), most = x.e[i] - block.e[i];
      at[i] = s > most ? most : s < 0 ? 0 : s;
      step[i] = 1;
    }
  }
};

/// What sums are kept in: f32 in f64; integers wrap.
template <class T> using wide = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;

/// Along the axis of a row of the family along_axis, some columns at a time: f(state of the column, offset, index).
template <class State, class F> inline void walk_axis(call const& c, std::int64_t from, std::int64_t to, F f) {
  constexpr std::int64_t columns = tuning::columns_of_axis;
  tensor_type const& x = c.in_type[0];
  ops::walk_dims const w = ops::walk_dims::read(c.attr);
  std::int64_t const n = x.e[w.axis], inner = x.size(w.axis + 1, x.rank);
  for (std::int64_t o = from; o < to; ++o)
    for (std::int64_t j = 0; j < inner; j += columns) {
      State s[columns]{};
      std::int64_t m = j + columns < inner ? columns : inner - j;
      for (std::int64_t i = 0; i < n; ++i) {
        std::int64_t k = w.back ? n - 1 - i : i, at = (o * n + k) * inner + j;
        for (std::int64_t q = 0; q < m; ++q) f(s[q], at + q, std::int32_t(k));
      }
    }
}
template <bool Greatest> inline void running_extreme(call const& c, std::int64_t from, std::int64_t to) {
  for_computed(c.in_type[0].d, [&]<class T>(std::type_identity<T>) {
    struct best {
      T x;
      std::int32_t at;
      bool any;
    };
    auto const* x = static_cast<T const*>(c.in[0]);
    auto* out = static_cast<T*>(c.out[0]);
    auto* where = static_cast<std::int32_t*>(c.out[1]);
    walk_axis<best>(c, from, to, [&](best& b, std::int64_t at, std::int32_t k) {
      T v = x[at];
      if (!b.any || (b.x == b.x && !(Greatest ? v <= b.x : v >= b.x))) b = {v, k, true};
      out[at] = b.x;
      where[at] = b.at;
    });
  });
}

}  // namespace etna::lower

namespace etna::ops {

inline void update_p::run(call const& c, std::int64_t from, std::int64_t to) {
  extent at[max_rank]{}, step[max_rank]{};
  for (int i = 0; i < c.in_type[0].rank; ++i) {
    at[i] = c.attr[2 * i];
    step[i] = c.attr[2 * i + 1];
  }
  lower::start_from_first(c);
  lower::block_walk(c.in_type[0], c.in_type[1], at, step, true)
      .copy(const_cast<void*>(c.in[1]), c.out[0], from, to, units(c));
}
inline void dynamic_slice_p::run(call const& c, std::int64_t from, std::int64_t to) {
  lower::clamped_starts s(c, 1, c.in_type[0], c.out_type[0]);
  lower::block_walk(c.in_type[0], c.out_type[0], s.at, s.step, false)
      .copy(c.out[0], const_cast<void*>(c.in[0]), from, to, units(c));
}
inline void dynamic_update_p::run(call const& c, std::int64_t from, std::int64_t to) {
  lower::clamped_starts s(c, 2, c.in_type[0], c.in_type[1]);
  lower::start_from_first(c);
  lower::block_walk(c.in_type[0], c.in_type[1], s.at, s.step, true)
      .copy(const_cast<void*>(c.in[1]), c.out[0], from, to, units(c));
}
inline void last_at_p::run(call const& c, std::int64_t, std::int64_t) {
  int const batch = c.out_type[0].rank - 1;
  extent const n = c.out_type[0].e[batch], rows = c.out_type[0].size(0, batch), size = c.in_type[0].size();
  auto* last = static_cast<std::int32_t*>(c.out[0]);
  std::fill_n(last, rows * n, -1);
  for (extent r = 0; r < rows; ++r)
    for (extent i = 0, m = size / rows; i < m; ++i) {
      std::int64_t at = lower::integer_at(c.in_type[0].d, c.in[0], r * m + i);
      if (at < 0) at += n;
      if (at >= 0 && at < n) last[r * n + at] = std::int32_t(i);
    }
}
inline void cumsum_p::run(call const& c, std::int64_t from, std::int64_t to) {
  for_computed(c.in_type[0].d, [&]<class T>(std::type_identity<T>) {
    using W = lower::wide<T>;
    auto const* x = static_cast<T const*>(c.in[0]);
    auto* out = static_cast<T*>(c.out[0]);
    lower::walk_axis<W>(c, from, to, [&](W& s, std::int64_t at, std::int32_t) { out[at] = T(s += W(x[at])); });
  });
}
inline void recurrence_p::run(call const& c, std::int64_t from, std::int64_t to) {
  for_computed(c.in_type[0].d, [&]<class T>(std::type_identity<T>) {
    using W = lower::wide<T>;
    auto const *a = static_cast<T const*>(c.in[0]), *b = static_cast<T const*>(c.in[1]);
    auto* out = static_cast<T*>(c.out[0]);
    struct state {
      W h;
      bool any;
    };
    lower::walk_axis<state>(c, from, to, [&](state& s, std::int64_t at, std::int32_t) {
      s.h = s.any ? W(a[at]) * s.h + W(b[at]) : W(b[at]);
      s.any = true;
      out[at] = T(s.h);
    });
  });
}
inline void cummax_p::run(call const& c, std::int64_t from, std::int64_t to) {
  lower::running_extreme<true>(c, from, to);
}
inline void cummin_p::run(call const& c, std::int64_t from, std::int64_t to) {
  lower::running_extreme<false>(c, from, to);
}
inline void sort_p::run(call const& c, std::int64_t from, std::int64_t to) {
  int const last = c.in_type[0].rank - 1;
  std::int64_t const n = c.in_type[0].e[last], first = c.out_type[0].e[last];
  for_computed(c.in_type[0].d, [&]<class T>(std::type_identity<T>) {
    lower::digit_sort<T> sort(n, first, c.attr[0] != 0);
    for (std::int64_t r = from; r < to; ++r) {
      auto const* x = static_cast<T const*>(c.in[0]) + r * n;
      auto* out = static_cast<T*>(c.out[0]) + r * first;
      auto* where = static_cast<std::int32_t*>(c.out[1]) + r * first;
      sort.indices(x, where);
      for (std::int64_t i = 0; i < first; ++i) out[i] = x[where[i]];
    }
  });
}

}  // namespace etna::ops
