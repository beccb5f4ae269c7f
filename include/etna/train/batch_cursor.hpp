// SPDX-License-Identifier: BSD-3-Clause
// A place among the batches of an epoch. Read next: saver.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include <etna/array/array.hpp>
#include <etna/debug/recorder.hpp>

#include "loop_options.hpp"

namespace etna::train {

/// The batch of now, from an epoch of a source; a range that gives values has it kept here.
///
/// example test/unit/train/training_loop.cpp  [batches that are values, and such that lie somewhere]
template <batch_source Batches> class batch_cursor {
  using range = std::remove_cvref_t<decltype(std::declval<Batches&>().epoch(std::uint64_t(), std::size_t()))>;
  using position = std::ranges::iterator_t<range>;
  using reference = std::iter_reference_t<position>;
  static constexpr bool keeps = !std::is_lvalue_reference_v<reference>;

 public:
  bool is_open() const { return range_.has_value(); }
  void open(Batches& of, std::uint64_t epoch, std::size_t first) {
    close();
    debug::span const here("next batch");
    range_.emplace(of.epoch(epoch, first));
    at_.emplace(std::ranges::begin(*range_));
    look();
  }
  void close() {
    batch_.reset();
    at_.reset();
    range_.reset();
  }
  /// Is there no batch here?
  bool at_end() { return *at_ == std::ranges::end(*range_); }
  void next() {
    debug::span const here("next batch");
    batch_.reset();
    ++*at_;
    look();
  }
  decltype(auto) operator*() {
    if constexpr (keeps) return (*batch_);
    else return **at_;
  }

 private:
  std::optional<range> range_;
  std::optional<position> at_;  // in the range, so it goes first
  std::optional<std::remove_cvref_t<reference>> batch_;

  void look() {
    if constexpr (keeps)
      if (!at_end()) batch_.emplace(**at_);
  }
};

namespace detail {

template <class X> double number_of(X const& x) {
  if constexpr (any_array<X>) return double(x.item());
  else return double(x);
}

}  // namespace detail

/// The turns of a loop, as a range-for goes through them.
template <class Loop> class turns {
 public:
  using difference_type = std::ptrdiff_t;
  explicit turns(Loop& of) : of_(&of) {}
  decltype(auto) operator*() const { return *of_->batch_; }
  turns& operator++() {
    of_->advance();
    return *this;
  }
  void operator++(int) { of_->advance(); }
  bool operator==(std::default_sentinel_t) const { return !of_->in_turn_; }

 private:
  Loop* of_;
};

}  // namespace etna::train

#include <etna/set_back.hpp>
