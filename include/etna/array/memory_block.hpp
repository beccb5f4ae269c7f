// SPDX-License-Identifier: BSD-3-Clause
// A block of run-time memory, counted by its owners, and where blocks are from. Read next: pool.hpp.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <etna/tuning.hpp>
#include <etna/message/runtime.hpp>

namespace etna {

/// Who reaches the bytes of a block: the host alone, or a device as well.
enum class memory_space : int { host, shared };

struct memory_block {
  std::atomic<int> refs{1};
  memory_space space = memory_space::host;
  std::size_t bytes = 0;  // capacity
  void* data = nullptr;
  void (*drop)(memory_block*) = nullptr;  // called when the last owner lets go
  void* context = nullptr;                // its pool; for adopted memory: what keeps it alive
  bool borrowed = false;                  // others read it too: never written in place
  memory_block* next = nullptr;           // in the pool,
  std::uint64_t since = 0;                // since when: the bytes that had been taken of it
};

namespace memory {

inline constexpr std::size_t alignment = tuning::cache::line;  // and the widest SIMD register
inline constexpr std::size_t header = 64;
static_assert(sizeof(memory_block) <= header);

inline constexpr std::size_t most_bytes = std::size_t(1) << 48;  // what an address can name
[[noreturn]] inline void too_little(double bytes) {
  char text[40];
  std::snprintf(text, sizeof text, "an array of %.0f bytes", bytes);
  message::raise<107>(text);
}
/// Where the blocks of a pool are from.
struct source {
  memory_space space;
  void* (*take)(std::size_t bytes, std::size_t filled);  // of which the first are used; null where there is no more
  void (*give)(void*);
};
inline void* take_from_host(std::size_t bytes, std::size_t filled) {
  std::size_t unit = filled < 2 * tuning::huge_page ? alignment : tuning::huge_page;
  void* p = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  // Where it is refused pages stay small; so do those at the end, which would not be filled.
  if (p && unit == tuning::huge_page) madvise(p, filled / tuning::huge_page * tuning::huge_page, MADV_HUGEPAGE);
#endif
  return p;
}

}  // namespace memory
}  // namespace etna
