// SPDX-License-Identifier: BSD-3-Clause
// scatter_add: the operand copied, then slices added one by one in order (one unit: indices may
// repeat, and the order of the sums is part of the result).
#pragma once
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
};

template <class T, class Index> struct scatter {
  ETNA_NOINLINE static void run(scatter_numbers const& s) {
    if (s.out != s.x) std::memcpy(s.out, s.x, std::size_t(s.batch * s.pre * s.n * s.post) * sizeof(T));
    switch (s.post) {  // no loop over slices of a few elements
      case 1: return add(s, elements<1>{});
      case 2: return add(s, elements<2>{});
      case 3: return add(s, elements<3>{});
      case 4: return add(s, elements<4>{});
      default: return add(s, s.post);
    }
  }

 private:
  template <std::int64_t N> using elements = std::integral_constant<std::int64_t, N>;
  static void add(scatter_numbers const& s, auto post) {
    auto const* updates = static_cast<T const*>(s.updates);
    T* out = static_cast<T*>(s.out);
    for (std::int64_t b = 0; b < s.batch; ++b) {
      auto const* index = static_cast<Index const*>(s.index) + b * s.next_batch;
      for (std::int64_t p = 0; p < s.pre; ++p, out += s.n * post)
        for (std::int64_t i = 0; i < s.places; ++i, updates += post) {
          std::int64_t at = std::int64_t(index[i * s.next_place]);
          if (at < 0) at += s.n;
          if (at < 0 || at >= s.n) continue;
          for (std::int64_t q = 0; q < post; ++q)
            out[at * post + q] = ops::add_p::lower(out[at * post + q], updates[q]);
        }
    }
  }
};

}  // namespace etna::lower
