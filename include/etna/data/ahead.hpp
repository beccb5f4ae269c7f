// SPDX-License-Identifier: BSD-3-Clause
// The last stage, prefetch: threads of its own make the next batches while a step runs. They are plain threads, which
// sleep while there is nothing to do; neither Kokkos nor OpenMP is used in them. Read next: in_memory.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#endif

#include "flow.hpp"

namespace etna::data {

namespace detail {

/// The name by which tools (top, gdb, perf) show this thread. And it is one that computes (SCHED_BATCH): woken up, it
/// does not take the core from the loop that asked for a batch, and then would wait for its turn.
inline void begin_thread(std::size_t number) {
#if defined(__linux__)
  ::sched_param const usual{};
  ::pthread_setschedparam(::pthread_self(), SCHED_BATCH, &usual);  // where it is refused all is as it was
  ::pthread_setname_np(::pthread_self(), ("etna-data-" + std::to_string(number)).substr(0, 15).c_str());
#else
  (void)number;
#endif
}

/// An epoch that threads make: element i goes to slot i % ahead, so they come in order, however the threads run.
template <node Node> class making {
 public:
  using view = view_of<Node>;
  using element = typename pipeline<Node>::element;

  making(std::shared_ptr<Node const> of, std::uint64_t epoch, std::size_t first, std::size_t ahead, std::size_t threads)
      : of_(std::move(of)),
        view_(of_->open(epoch, 0)),
        slots_(ahead),
        next_(first),
        taken_(first),
        end_(std::max(first, of_->size())) {
    try {
      for (std::size_t i = 0; i < std::min({threads, ahead, end_ - first}); ++i)
        threads_.emplace_back([this, i] {
          begin_thread(i);
          work();
        });
    } catch (...) {  // no more threads are to be had
      leave();
      throw;
    }
  }
  making(making const&) = delete;
  making& operator=(making const&) = delete;
  ~making() { leave(); }

  /// The next element, waited for; nothing behind the last one. What its making threw, this throws.
  std::optional<element> take() {
    std::unique_lock lock(mutex_);
    if (taken_ == end_) return {};
    slot& s = slots_[taken_ % slots_.size()];
    made_.wait(lock, [&] { return s.ready; });
    if (s.wrong) {
      end_ = taken_;  // nothing comes behind it
      stop_ = true;
      room_.notify_all();
      std::rethrow_exception(std::exchange(s.wrong, nullptr));
    }
    s.ready = false;
    std::optional<element> r = std::move(s.made);
    s.made.reset();
    ++taken_;
    lock.unlock();
    room_.notify_one();
    return r;
  }

 private:
  struct slot {
    bool ready = false;
    std::optional<element> made;
    std::exception_ptr wrong;
  };
  std::shared_ptr<Node const> of_;
  view view_;
  std::mutex mutex_;
  std::condition_variable room_, made_;
  std::vector<slot> slots_;
  std::size_t next_, taken_, end_;  // to be made, to be taken
  bool stop_ = false;
  std::vector<std::thread> threads_;

  void leave() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    room_.notify_all();
    for (auto& t : threads_) t.join();
  }
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      room_.wait(lock, [&] { return stop_ || next_ >= end_ || next_ < taken_ + slots_.size(); });
      if (stop_ || next_ >= end_) return;
      std::size_t const mine = next_++;
      lock.unlock();
      std::optional<element> made;
      std::exception_ptr wrong;
      try {
        made.emplace(view_[mine]);
      } catch (...) { wrong = std::current_exception(); }
      lock.lock();
      slot& s = slots_[mine % slots_.size()];
      s.made = std::move(made);
      s.wrong = std::move(wrong);
      s.ready = true;
      if (mine == taken_) made_.notify_one();
      if (next_ >= end_) room_.notify_all();
    }
  }
};

}  // namespace detail

/// The elements of an epoch, made ahead. Its threads begin with it and end with it, also where a loop is left early.
template <detail::node Node> class prefetched_range {
 public:
  using element = typename pipeline<Node>::element;
  using iterator = detail::pulled<prefetched_range>;
  explicit prefetched_range(std::unique_ptr<detail::making<Node>> work) : work_(std::move(work)) {}
  iterator begin() {
    if (!now_) advance();
    return iterator(*this);
  }
  std::default_sentinel_t end() const { return {}; }

 private:
  std::unique_ptr<detail::making<Node>> work_;
  std::optional<element> now_;  // it may be moved from
  friend iterator;
  void advance() {
    now_.reset();
    now_ = work_->take();
  }
};

/// A pipeline whose elements are made ahead by threads. No stage comes behind it.
template <detail::node Node> class prefetched {
 public:
  using element = typename pipeline<Node>::element;
  prefetched(pipeline<Node> from, std::size_t ahead, std::size_t threads)
      : from_(std::move(from)), ahead_(ahead), threads_(threads) {}
  std::size_t size() const { return from_.size(); }
  /// As pipeline::epoch. The threads begin here: an epoch that is asked for before a validation is ready behind it.
  prefetched_range<Node> epoch(std::uint64_t e, std::size_t first = 0) const {
    return prefetched_range<Node>(std::make_unique<detail::making<Node>>(from_.shared(), e, first, ahead_, threads_));
  }

 private:
  pipeline<Node> from_;
  std::size_t ahead_, threads_;
};

/// Make up to `ahead` elements ahead, each by one of some threads. They come in order, and are the same with any
/// numbers here. What is thrown in a thread is thrown where the loop would have had that element.
///
/// errors  std::system_error where a thread cannot be started (in epoch)
/// cost    `ahead` elements in memory, besides the one in use and those in the making
/// example test/unit/data/ahead.cpp  [the same elements with any threads]
inline auto prefetch(std::size_t ahead, std::size_t threads = 1) {
  ahead = std::max<std::size_t>(ahead, 1);
  threads = std::max<std::size_t>(threads, 1);
  return stage{
      [ahead, threads]<class Node>(pipeline<Node> const& from) { return prefetched<Node>(from, ahead, threads); }};
}

}  // namespace etna::data

#include <etna/set_back.hpp>
