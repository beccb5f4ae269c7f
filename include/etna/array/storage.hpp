// SPDX-License-Identifier: BSD-3-Clause
// Run-time memory: an intrusively counted block, kept for reuse when its last owner lets it go, so
// that a training loop allocates nothing after its first turn. (A Kokkos::View or shared_ptr member
// of array would fail in constant evaluation.) Read next: traced.hpp.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <etna/message/runtime.hpp>

namespace etna {

/// Where the bytes of a block live; spaces of devices register their own functions later.
enum class memory_space : int { host, device };

struct memory_block {
  std::atomic<int> refs{1};
  memory_space space = memory_space::host;
  std::size_t bytes = 0;                // capacity
  void* data = nullptr;
  void (*drop)(memory_block*) = nullptr;       // called when the last owner lets go
  void* context = nullptr;              // for adopted memory: what keeps it alive
  bool borrowed = false;                // others read it too: never written in place
  memory_block* next = nullptr;                // in the pool
};

namespace memory {

inline constexpr std::size_t alignment = 64;  // a cache line, and the widest SIMD register
inline constexpr std::size_t header = 64;
inline constexpr std::size_t huge_page = std::size_t(2) << 20;
static_assert(sizeof(memory_block) <= header);

inline constexpr std::size_t most_bytes = std::size_t(1) << 48;  // what an address can name
[[noreturn]] inline void too_little(double bytes) {
  char text[40];
  std::snprintf(text, sizeof text, "an array of %.0f bytes", bytes);
  message::raise<107>(text);
}

/// Free blocks by size class: four classes an octave, so at most a fifth of a block is unused.
class pool {
 public:
  static pool& host() {
    static pool* p = new pool;  // never destroyed: arrays of static storage may outlive it
    return *p;
  }
  memory_block* take(std::size_t bytes) {
    if (bytes > most_bytes) too_little(double(bytes));
    int c = size_class(bytes);
    lock();
    memory_block* b = free_[c];
    if (b) free_[c] = b->next;
    unlock();
    if (!b) b = make(c, bytes);
    b->refs.store(1, std::memory_order_relaxed);
    return b;
  }
  void give(memory_block* b) {
    int c = size_class(b->bytes);
    lock();
    b->next = free_[c];
    free_[c] = b;
    unlock();
  }
  /// Hand the kept memory back to the system.
  void trim() {
    for (auto& head : free_) {
      lock();
      memory_block* b = head;
      head = nullptr;
      unlock();
      while (b) {
        memory_block* next = b->next;
        b->~memory_block();
        std::free(b);
        b = next;
      }
    }
  }

 private:
  static constexpr int classes = 4 * 48;
  memory_block* free_[classes]{};
  std::atomic_flag busy_{};

  void lock() { while (busy_.test_and_set(std::memory_order_acquire)) {} }
  void unlock() { busy_.clear(std::memory_order_release); }

  static std::size_t class_bytes(int c) {
    return (std::size_t(64) << (c / 4)) / 4 * std::size_t(4 + c % 4);
  }
  static int size_class(std::size_t bytes) {
    int c = 0;
    while (class_bytes(c) < bytes) ++c;
    return c;
  }
  memory_block* make(int c, std::size_t wanted) {
    std::size_t n = class_bytes(c), unit = wanted < 2 * huge_page ? alignment : huge_page;
    std::size_t total = (header + n + unit - 1) / unit * unit;
    void* p = std::aligned_alloc(unit, total);
    if (!p) {
      trim();
      p = std::aligned_alloc(unit, total);
    }
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    // Where it is refused pages stay small; so do those at the end, which would not be filled.
    if (p && unit == huge_page) madvise(p, (header + wanted) / huge_page * huge_page, MADV_HUGEPAGE);
#endif
    if (!p) too_little(double(n));
    memory_block* b = new (p) memory_block;
    b->bytes = n;
    b->data = static_cast<char*>(p) + header;
    b->drop = [](memory_block* x) { pool::host().give(x); };
    return b;
  }
};

inline memory_block* allocate(std::size_t bytes) { return pool::host().take(bytes); }

/// Return to the system what etna keeps for reuse.
inline void trim() { pool::host().trim(); }

}  // namespace memory

inline void retain(memory_block* b) {
  if (b) b->refs.fetch_add(1, std::memory_order_relaxed);
}
inline void release(memory_block* b) {
  if (b && b->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) b->drop(b);
}

}  // namespace etna
