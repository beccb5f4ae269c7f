// SPDX-License-Identifier: BSD-3-Clause
// What a product prefetches while it computes: the memory of the steps behind it. Read next: gemm_block.hpp.
#pragma once
#include <cstdint>

#include <etna/tuning.hpp>

namespace etna::lower {

/// Memory that will be read when a product is done, which its blocks prefetch, a line with each step of their sums: so
/// it comes while the processor multiplies.
struct prefetch_list {
  static constexpr int most = tuning::prefetch::buffers;
  static constexpr std::int64_t line = tuning::cache::line;
  struct {
    char const* at;
    std::int64_t bytes;
  } of[most];
  int n = 0;
  std::int64_t bytes = 0;

  void add(void const* at, std::int64_t size) {
    if (n == most || bytes + size > tuning::prefetch::most) return;
    of[n++] = {static_cast<char const*>(at), size};
    bytes += size;
  }
};
/// The lines of it that a thread prefetches, whose share of the product is [first, last) of `all`: the same share of
/// each.
class prefetching {
 public:
  prefetching(prefetch_list const* memory, std::int64_t first, std::int64_t last, std::int64_t all)
      : memory_(memory), first_(first), last_(last), all_(all) {
    next();
  }
  /// Where a block's first line is, if any is left.
  char const* at() const { return at_; }
  void pass(std::int64_t lines) {
    at_ += lines * prefetch_list::line;
    if (at_ >= end_) next();
  }

 private:
  void next() {
    at_ = nullptr;
    if (!memory_ || next_ == memory_->n) return;
    auto const& m = memory_->of[next_++];
    at_ = m.at + m.bytes * first_ / all_;
    end_ = m.at + m.bytes * last_ / all_;
  }
  prefetch_list const* memory_;
  std::int64_t first_, last_, all_;
  char const *at_ = nullptr, *end_ = nullptr;
  int next_ = 0;
};

}  // namespace etna::lower
