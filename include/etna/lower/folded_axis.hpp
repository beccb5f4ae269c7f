// SPDX-License-Identifier: BSD-3-Clause
// An axis of a product's operand that is several loops over memory, as the places of windows are, or their elements.
// Read next: gemm_block.hpp.
#pragma once
#include <cstdint>

#include <etna/platform.hpp>

namespace etna::lower {

/// Loops, the innermost first; none where one stride says it all. `begin`: which index of the whole axis comes first.
struct folded_axis {
  static constexpr int most = 4;
  int n = 0;
  std::int64_t begin = 0;
  std::int64_t size[most]{}, stride[most]{};

  explicit operator bool() const { return n > 1; }
  /// Elements from the first to index i.
  ETNA_FN std::int64_t at(std::int64_t i) const {
    std::int64_t r = 0;
    i += begin;
    for (int k = 0; k < n; ++k) {
      std::int64_t const j = k + 1 < n ? i % size[k] : i;
      r += j * stride[k];
      if (k + 1 < n) i /= size[k];
    }
    return r;
  }
  /// The same of `count` indices from i on.
  void put(std::int64_t i, std::int64_t count, std::int64_t* to) const {
    for (std::int64_t const end = i + count; i < end;) {
      std::int64_t const first = at(i), left = size[0] - (i + begin) % size[0], run = left < end - i ? left : end - i;
      for (std::int64_t j = 0; j < run; ++j) *to++ = first + j * stride[0];
      i += run;
    }
  }
};

}  // namespace etna::lower
