// SPDX-License-Identifier: BSD-3-Clause
// What a program did when, thread by thread: names with a begin and an end. Nothing is kept, and nothing costs more
// than a branch, unless somebody records (train/chrome_trace.hpp). Read next: named_scope.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etna::debug {

/// A span of time in a thread; nanoseconds of a steady clock.
struct recorded_span {
  std::string name;
  char const* category;
  int thread;
  std::int64_t begin, end;
};

/// The spans of all threads, while somebody records.
class recorder {
 public:
  using clock = std::chrono::steady_clock;
  static std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now().time_since_epoch()).count();
  }
  /// The number of this thread, in the order in which they first asked.
  static int thread() {
    static std::atomic<int> count{0};
    thread_local int const mine = count.fetch_add(1, std::memory_order_relaxed);
    return mine;
  }

  bool is_on() const { return on_.load(std::memory_order_relaxed); }
  /// From now on, at most so many spans. False: somebody else records.
  bool start(std::size_t most) {
    std::lock_guard const here(lock_);
    if (is_on()) return false;
    spans_.clear();
    left_out_ = 0;
    most_ = most;
    since_ = now();
    on_ = true;
    return true;
  }
  /// All spans since start that have ended, and how many were too many.
  std::pair<std::vector<recorded_span>, std::size_t> stop() {
    std::lock_guard const here(lock_);
    on_ = false;
    return {std::exchange(spans_, {}), left_out_};
  }
  void add(recorded_span span) {
    std::lock_guard const here(lock_);
    if (!is_on() || span.begin < since_) return;
    if (spans_.size() < most_) spans_.push_back(std::move(span));
    else ++left_out_;
  }

  /// A span of this thread begins; end takes the last one of its category.
  void begin(char const* category, char const* name) { open().push_back({name, category, thread(), now(), 0}); }
  void end(char const* category) {
    auto& all = open();
    for (std::size_t i = all.size(); i-- > 0;)
      if (std::strcmp(all[i].category, category) == 0) {
        all[i].end = now();
        add(std::move(all[i]));
        all.erase(all.begin() + std::ptrdiff_t(i));
        return;
      }
  }

 private:
  std::atomic<bool> on_{false};
  std::mutex lock_;
  std::vector<recorded_span> spans_;
  std::size_t most_ = 0, left_out_ = 0;
  std::int64_t since_ = 0;

  static std::vector<recorded_span>& open() {
    thread_local std::vector<recorded_span> mine;
    return mine;
  }
};
/// The one of the program: threads of all its files write into it.
inline recorder spans;

/// While this lives, the thread does what the name says, for those who record.
///
///     debug::span here("read a batch");
///
/// cost    one branch where nobody records
/// example test/unit/debug/recorder.cpp  [spans of several threads, where somebody records]
class span {
 public:
  explicit span(std::string_view name) {
    if (!spans.is_on()) return;
    name_ = name;
    begin_ = recorder::now();
  }
  span(span const&) = delete;
  ~span() {
    if (begin_ != 0) spans.add({std::move(name_), "span", recorder::thread(), begin_, recorder::now()});
  }

 private:
  std::string name_;
  std::int64_t begin_ = 0;
};

}  // namespace etna::debug

#include <etna/set_back.hpp>
