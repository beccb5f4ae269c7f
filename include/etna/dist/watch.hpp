// SPDX-License-Identifier: BSD-3-Clause
// What this process is doing: its step, and the collective that it called last or waits for. Kept where a signal
// handler, another thread and another process may read it. Read next: watchdog.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <new>
#include <string>

namespace etna::dist {

namespace detail {

/// What a process may wait for in MPI.
enum class call : std::uint8_t {
  nothing,
  all_reduce,
  reduce,
  reduce_scatter,
  broadcast,
  all_gather,
  gather,
  scatter,
  all_to_all,
  permute,
  split,
  finalize
};
inline constexpr char const* call_names[]{"nothing",    "all_reduce", "reduce", "reduce_scatter",
                                          "broadcast",  "all_gather", "gather", "scatter",
                                          "all_to_all", "permute",    "split",  "MPI_Finalize"};
constexpr char const* name_of(call c) { return call_names[int(c)]; }

/// How far it is with a call: `waits` once that takes longer than some microseconds.
enum class progress : std::uint8_t { called, waits, gave_up };
inline constexpr char const* progress_names[]{"last called", "waits for", "gave up waiting for"};

/// Two words, so that a step and a collective are one store each. cmake/etna_run.sh reads them too.
struct watch_memory {
  std::atomic<std::uint64_t> step{0};   // its number + 1; 0 where none was said
  std::atomic<std::uint64_t> doing{0};  // call << 56 | progress << 54 | number
  std::atomic<std::int64_t> limit{0};   // of what it waits for, in nanoseconds
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(watch_memory) == 24);

inline watch_memory own_memory;
inline watch_memory* watched = &own_memory;  // or a file, of which others may read when this process is no more

constexpr std::uint64_t word_of(call c, progress p, std::int64_t number) {
  return std::uint64_t(c) << 56 | std::uint64_t(p) << 54 | (std::uint64_t(number) & ((std::uint64_t(1) << 54) - 1));
}
inline void now(call c, std::int64_t number, progress p = progress::called) {
  watched->doing.store(word_of(c, p, number), std::memory_order_relaxed);
}
/// While it lives, this process waits for a call.
class waiting {
 public:
  waiting(call c, std::int64_t number, std::chrono::nanoseconds limit) : call_(c), number_(number) {
    watched->limit.store(limit.count(), std::memory_order_relaxed);
    watched->doing.store(word_of(c, progress::waits, number), std::memory_order_release);
  }
  waiting(waiting const&) = delete;
  waiting& operator=(waiting const&) = delete;
  ~waiting() { now(call_, number_, end_); }
  void give_up() { end_ = progress::gave_up; }

 private:
  call call_;
  std::int64_t number_;
  progress end_ = progress::called;
};

/// Words one after another in memory of the caller's: what a signal handler may do.
class line {
 public:
  line& operator<<(char const* text) {
    for (; *text && size_ < sizeof text_; ++text) text_[size_++] = *text;
    return *this;
  }
  line& operator<<(std::uint64_t n) {
    char digits[21]{};
    char* first = digits + 20;
    do *--first = char('0' + n % 10);
    while (n /= 10);
    return *this << first;
  }
  void write(int file) const { (void)!::write(file, text_, size_); }
  std::string text() const { return {text_, size_}; }

 private:
  char text_[512];
  std::size_t size_ = 0;
};

/// "at step 17, waits for all_reduce 52"
inline void add_where(line& to, watch_memory const& from) {
  std::uint64_t const step = from.step.load(std::memory_order_relaxed),
                      doing = from.doing.load(std::memory_order_acquire);
  if (step > 0) to << "at step " << step - 1 << ", ";
  auto const c = doing >> 56, p = doing >> 54 & 3, number = doing & ((std::uint64_t(1) << 54) - 1);
  if (c == 0) to << "before its first collective";
  else to << progress_names[p] << " " << call_names[c];
  if (c != 0 && c != std::uint64_t(call::finalize)) to << " " << number;
}

/// Keep it in a file from now on: both words, and from byte 64 on the names that they are numbers of. 0, or an errno.
inline int watch_in_file(char const* path) {
  constexpr std::size_t bytes = 4096, names_at = 64;
  int const file = ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  void* const memory =
      ::ftruncate(file, bytes) == 0 ? ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  int const why = errno;
  ::close(file);
  if (memory == MAP_FAILED) return why;
  std::string names;
  for (char const* name : call_names) names += std::string(name) + " ";
  std::memcpy(static_cast<char*>(memory) + names_at, names.data(), names.size());
  auto* const fresh = new (memory) watch_memory;
  fresh->step.store(watched->step.load(std::memory_order_relaxed), std::memory_order_relaxed);
  fresh->doing.store(watched->doing.load(std::memory_order_relaxed), std::memory_order_relaxed);
  watched = fresh;  // it stays as long as the process
  return 0;
}

}  // namespace detail

/// Say which step begins, for those who ask where this rank was when it ended. One store; in a loop over batches:
///
///     dist::at_step(run.step());
///
/// example test/unit/dist/watch.cpp  [a step and a collective as words]
inline void at_step(std::uint64_t step) { detail::watched->step.store(step + 1, std::memory_order_relaxed); }

/// What this process is doing, in words: "at step 17, waits for all_reduce 52". Collectives are counted in their group.
inline std::string where() {
  detail::line all;
  detail::add_where(all, *detail::watched);
  return all.text();
}

}  // namespace etna::dist

#include <etna/set_back.hpp>
