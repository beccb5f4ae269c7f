// SPDX-License-Identifier: BSD-3-Clause
// scatter_add: the operand copied, then slices added one by one in order (one unit: indices may
// repeat, and the order of the sums is part of the result).
#pragma once
#include <cstring>

#include "lanes.hpp"

namespace etna::lower {

struct scatter_numbers {
  void const* x;
  void const* index;
  void const* updates;
  void* out;
  std::int64_t batch, pre, n, places, post;  // x [batch, pre, n, post], index [batch, places]
};

template <class T, class I> struct scatter {
  ETNA_NOINLINE static void run(scatter_numbers const& s) {
    T* out = static_cast<T*>(s.out);
    auto const* updates = static_cast<T const*>(s.updates);
    auto const* index = static_cast<I const*>(s.index);
    if (s.out != s.x) std::memcpy(s.out, s.x, std::size_t(s.batch * s.pre * s.n * s.post) * sizeof(T));
    for (std::int64_t b = 0; b < s.batch; ++b)
      for (std::int64_t p = 0; p < s.pre; ++p)
        for (std::int64_t i = 0; i < s.places; ++i) {
          std::int64_t at = std::int64_t(index[b * s.places + i]);
          if (at < 0) at += s.n;
          if (at < 0 || at >= s.n) continue;
          for (std::int64_t q = 0; q < s.post; ++q)
            out[((b * s.pre + p) * s.n + at) * s.post + q] += updates[((b * s.pre + p) * s.places + i) * s.post + q];
        }
  }
};

}  // namespace etna::lower
