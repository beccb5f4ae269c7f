// SPDX-License-Identifier: BSD-3-Clause
// A thread that does one thing after another while the caller goes on. Read next: not_finite.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace etna::train {

/// One job at a time, in a thread of its own, which begins with the first job. What waits for its turn waits in
/// do_next, so that never more than one job's data are held.
///
/// example test/unit/train/background.cpp  [one at a time, in their order]
class background {
 public:
  background() = default;
  background(background const&) = delete;
  background& operator=(background const&) = delete;
  /// Ends when the last job has.
  ~background() {
    if (!thread_.joinable()) return;
    {
      std::lock_guard const here(lock_);
      ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// When the job before has ended, do this one, and return at once. Where the system has no thread to give, the job is
  /// done before this returns.
  void do_next(std::function<void()> job) {
    std::unique_lock here(lock_);
    changed_.wait(here, [&] { return !busy_; });
    if (!begin_thread()) {
      here.unlock();
      thrown_ = done(job);
      return;
    }
    job_ = std::move(job);
    busy_ = true;
    here.unlock();
    changed_.notify_all();
  }
  /// All jobs have ended. What the last one threw is thrown, once.
  void wait() {
    std::unique_lock here(lock_);
    changed_.wait(here, [&] { return !busy_; });
    if (auto const thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  std::function<void()> job_;  // until it begins
  std::exception_ptr thrown_;
  bool busy_ = false, ends_ = false;
  std::thread thread_;

  bool begin_thread() {
    if (!thread_.joinable()) try {
        thread_ = std::thread([this] { run(); });
      } catch (std::system_error const&) { return false; }
    return true;
  }
  static std::exception_ptr done(std::function<void()> const& job) {
    try {
      job();
    } catch (...) { return std::current_exception(); }
    return nullptr;
  }
  void run() {
    std::unique_lock here(lock_);
    for (;;) {
      changed_.wait(here, [&] { return job_ || ends_; });
      if (!job_) return;
      auto job = std::exchange(job_, nullptr);
      here.unlock();
      auto const thrown = done(job);
      job = nullptr;  // what it holds goes before another begins
      here.lock();
      thrown_ = thrown;
      busy_ = false;
      changed_.notify_all();
    }
  }
};

}  // namespace etna::train

#include <etna/set_back.hpp>
