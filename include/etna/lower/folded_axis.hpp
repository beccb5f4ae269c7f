// SPDX-License-Identifier: BSD-3-Clause
// An axis of a product's operand that is several loops over memory, as the places of windows are, or their elements.
// Read next: gemm_block.hpp.
#pragma once
#include <cstdint>

#include <etna/platform.hpp>

namespace etna::lower {

/// Loops, the innermost first; fewer than two where one stride says it all.
struct folded_axis {
  static constexpr int most = 4;
  int n;
  std::int64_t size[most], stride[most];

  ETNA_FN bool is_folded() const { return n > 1; }
  /// Elements from the first to index i.
  ETNA_FN std::int64_t at(std::int64_t i) const {
    std::int64_t r = 0;
    for (int k = 0; k + 1 < n; ++k) {
      r += i % size[k] * stride[k];
      i /= size[k];
    }
    return r + i * stride[n - 1];
  }
  /// The same of `count` indices from i on.
  void put(std::int64_t i, std::int64_t count, std::int64_t* to) const {
    for (std::int64_t const end = i + count; i < end;) {
      std::int64_t const first = at(i), left = size[0] - i % size[0], run = left < end - i ? left : end - i;
      for (std::int64_t j = 0; j < run; ++j) *to++ = first + j * stride[0];
      i += run;
    }
  }
};
/// Of an operand of a product: its free axis, and its sums.
struct operand_folds {
  folded_axis free, sums;
  ETNA_FN bool are_there() const { return free.is_folded() || sums.is_folded(); }
};

}  // namespace etna::lower
