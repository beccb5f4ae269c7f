// SPDX-License-Identifier: BSD-3-Clause
// The order of a row's elements, found digit by digit: no comparison whose outcome a processor would have to guess.
// Read next: routine.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <etna/tuning.hpp>

namespace etna::lower {

/// Equal numbers keep their order (0 and -0 are equal, and so are all NaN, which are the greatest).
template <class T> class digit_sort {
  using key = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  static constexpr int digit = 8, digits = sizeof(T), values = 1 << digit;  // bits; of a key; of a digit
  struct entry {
    key k;
    std::int32_t at;
  };
  /// Few elements: each comes behind those that it is not less than; a table of digits would cost more to clear.
  void by_counting(T const* x, std::int32_t* where) const {
    key k[tuning::sort::few];
    for (std::int64_t i = 0; i < n_; ++i) k[i] = key_of(x[i]);
    for (std::int64_t i = 0; i < n_; ++i) {
      std::int32_t before = 0;
      for (std::int64_t j = 0; j < i; ++j) before += k[j] <= k[i];
      for (std::int64_t j = i + 1; j < n_; ++j) before += k[j] < k[i];
      if (before < first_) where[before] = std::int32_t(i);
    }
  }
  /// One pass: an element is put among the first so far if it comes before the last of them, which few do.
  void first_ones(T const* x, std::int32_t* where) const {
    constexpr std::int64_t block = tuning::sort::block;
    key best[tuning::sort::first];
    std::int64_t have = 0;
    auto put = [&](key k, std::int64_t i) {
      std::int64_t at = have < first_ ? have++ : first_ - 1;
      for (; at > 0 && k < best[at - 1]; --at) {
        best[at] = best[at - 1];
        where[at] = where[at - 1];
      }
      best[at] = k;
      where[at] = std::int32_t(i);
    };
    for (std::int64_t i = 0; i < first_; ++i) put(key_of(x[i]), i);
    for (std::int64_t i = first_; i < n_; i += block) {
      std::int64_t const end = std::min(i + block, n_);
      key k[block], last = best[first_ - 1], least = last;
      for (std::int64_t j = i; j < end; ++j) {
        k[j - i] = key_of(x[j]);
        least = std::min(least, k[j - i]);
      }
      if (least == last) continue;
      for (std::int64_t j = i; j < end; ++j)
        if (k[j - i] < best[first_ - 1]) put(k[j - i], j);
    }
  }
  std::int64_t n_, first_;
  bool down_;
  std::unique_ptr<entry[]> some_, others_;

  key key_of(T x) const {
    key k = 0;
    if constexpr (std::is_floating_point_v<T>) {
      constexpr key sign = key(1) << (8 * sizeof(T) - 1);
      k = x != x ? ~key(0) : x == T(0) ? sign : std::bit_cast<key>(x);
      if (x == x && x != T(0)) k = k & sign ? ~k : k | sign;
    } else if constexpr (std::is_signed_v<T>) k = key(x) ^ (key(1) << (8 * sizeof(T) - 1));
    else k = key(x);
    return down_ ? ~k : k;
  }

 public:
  /// n      elements of a row; at most 2^31
  /// first  of them are asked for
  digit_sort(std::int64_t n, std::int64_t first, bool down) : n_(n), first_(first), down_(down) {}

  /// where[i] is the place in x of what comes i-th; i < first.
  void indices(T const* x, std::int32_t* where) {
    if (first_ > 0 && first_ <= tuning::sort::first && first_ * tuning::sort::of <= n_) return first_ones(x, where);
    if (n_ <= tuning::sort::few) return by_counting(x, where);
    if (!some_) {
      some_.reset(new entry[std::size_t(n_)]);
      others_.reset(new entry[std::size_t(n_)]);
    }
    entry *from = some_.get(), *to = others_.get();
    std::array<std::array<std::int64_t, values>, digits> count{};
    for (std::int64_t i = 0; i < n_; ++i) {
      key const k = key_of(x[i]);
      from[i] = {k, std::int32_t(i)};
      for (int d = 0; d < digits; ++d) ++count[d][k >> (d * digit) & (values - 1)];
    }
    for (int d = 0; d < digits; ++d) {
      auto& next = count[d];
      if (n_ > 0 && next[from[0].k >> (d * digit) & (values - 1)] == n_) continue;  // all have the same
      std::int64_t sum = 0;
      for (auto& c : next) sum += std::exchange(c, sum);
      for (std::int64_t i = 0; i < n_; ++i) to[next[from[i].k >> (d * digit) & (values - 1)]++] = from[i];
      std::swap(from, to);
    }
    for (std::int64_t i = 0; i < first_; ++i) where[i] = from[i].at;
  }
};

}  // namespace etna::lower
