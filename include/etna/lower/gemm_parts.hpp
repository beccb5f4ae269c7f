// SPDX-License-Identifier: BSD-3-Clause
// Few long sums, as the gradient of a weight by many examples: in parts of some terms each, that threads share, and
// that are added in their order. Read next: scatter.hpp.
#pragma once
#include "gemm_narrow.hpp"

namespace etna::lower {

/// The parts of a product; so many for its sizes alone, and so are its bits.
template <class T, class Sum, bool Folds> struct gemm_parts {
  using whole = typename gemm_of<T, Sum, Folds>::type;
  std::int64_t length, n;  // terms of a part, and how many there are

  explicit gemm_parts(gemm_numbers const& p) : length(p.k), n(1) {
    using limits = tuning::gemm;
    std::int64_t const results = results_of(p);
    if (results == 0 || results > limits::few_results || !std::is_floating_point_v<Sum>) return;
    std::int64_t const least = limits::sums_at_once;
    std::int64_t const terms = (limits::part / results + least - 1) / least * least;
    if (p.k < 2 * terms) return;
    length = terms;
    n = (p.k + length - 1) / length;
  }
  /// What all parts of p, the product or some of its rows, want for their sums.
  std::size_t bytes(gemm_numbers const& p) const { return std::size_t(n * results_of(p)) * sizeof(Sum); }
  /// Parts [from, to) of p; their sums lie one part behind the other.
  void run(gemm_numbers const& p, Sum* sums, std::int64_t from, std::int64_t to) const {
    for (; from < to; ++from) {
      gemm_numbers part = whole::terms(p, from * length, std::min((from + 1) * length, p.k));
      part.c = sums + from * results_of(p);
      part.shares = 1;
      whole::run(part, 0, whole::units(part));
    }
  }
  void join(gemm_numbers const& p, Sum* sums) const {
    std::int64_t const results = results_of(p);
    for (std::int64_t i = 1; i < n; ++i)
      for (std::int64_t k = 0; k < results; ++k) sums[k] += sums[i * results + k];
    auto const* const start = static_cast<Sum const*>(p.start);
    auto* const to = static_cast<Sum*>(p.c);
    Sum const scale = start ? p.template scale<Sum>() : Sum(1);
    for (std::int64_t k = 0; k < results; ++k) to[k] = start ? math::mad(sums[k], scale, start[k]) : sums[k];
  }

 private:
  static std::int64_t results_of(gemm_numbers const& p) { return p.batch * p.m * p.n; }
};

}  // namespace etna::lower
