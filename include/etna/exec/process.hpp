// SPDX-License-Identifier: BSD-3-Clause
// What the process of the user's does besides: it forks, and it ends. A runtime of OpenMP may then wait for threads
// that are no more, for ever; so calls run where they are called. Read next: device.hpp.
#pragma once
#include <atomic>
#include <cstdlib>

#include <etna/array/storage.hpp>

#if defined(ETNA_HAS_FORK)
#include <sys/stat.h>
#endif

namespace etna::exec {

/// Each program and each shared library knows it by itself (hence hidden), so that one that is unloaded takes no
/// handler along that others need.
class [[gnu::visibility("hidden")]] process {
 public:
  /// A child of a process that had several threads: it has one of them, and the runtimes' notes of all.
  static bool is_forked() { return forked_.load(std::memory_order_relaxed); }
  static bool may_have_threads() { return !is_forked() && !ends_.load(std::memory_order_relaxed); }
  /// Threads are to be had, and the runtime has begun: what it does at the program's end comes after this mark.
  static void has_threads() {
    static int const once = std::atexit([] { ends_.store(true, std::memory_order_relaxed); });
    (void)once;
  }

 private:
  static inline std::atomic<bool> forked_{false}, ends_{false};
#if defined(ETNA_HAS_FORK)
  static inline std::atomic<bool> had_several_{false};
  /// Linux counts a process' threads as links of this folder; where nobody counts, there were several.
  static bool has_several() {
    struct stat s;
    return stat("/proc/self/task", &s) != 0 || s.st_nlink != 3;
  }
  static inline int const fork_is_watched_ = pthread_atfork(
      [] { had_several_.store(has_several(), std::memory_order_relaxed); }, nullptr,
      [] { forked_.store(is_forked() || had_several_.load(std::memory_order_relaxed), std::memory_order_relaxed); });
#endif
};

}  // namespace etna::exec
