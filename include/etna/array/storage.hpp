// SPDX-License-Identifier: BSD-3-Clause
// Run-time memory: an intrusively counted block, kept for reuse when its last owner lets it go, so
// that a training loop allocates nothing after its first turn. (A Kokkos::View or shared_ptr member
// of array would fail in constant evaluation.) Read next: traced.hpp.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define ETNA_HAS_FORK
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
  memory_block* next = nullptr;           // in the pool
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
[[noreturn]] inline void outside(long long i, long long size, int axis) {
  char text[96];
  std::snprintf(text, sizeof text, "index %lld along axis %d of size %lld", i, axis, size);
  message::raise<134>(text);
}
[[noreturn]] inline void other_size(long long size, long long wanted, int axis) {
  char text[96];
  std::snprintf(text, sizeof text, "axis %d has %lld, not %lld", axis, size, wanted);
  message::raise<112>(text);
}
/// Sizes of a value, for axes whose extent is no name.
inline void check_sizes(std::int64_t const* sizes, std::int64_t const* extents, int rank) {
  for (int i = 0; i < rank; ++i)
    if (extents[i] >= 0 && sizes[i] != extents[i]) other_size(sizes[i], extents[i], i);
}
[[noreturn]] inline void negative(long long size, int axis) {
  char text[64];
  std::snprintf(text, sizeof text, "%lld along axis %d", size, axis);
  message::raise<129>(text);
}
[[noreturn]] inline void given_away() { message::raise<132>("an array that was moved from"); }

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

/// Free blocks by size class: four classes an octave, so at most a fifth of a block is unused.
class pool {
 public:
  constexpr explicit pool(source const& s) : from_(s) {}
  static pool& host();
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
        from_.give(b);
        b = next;
      }
    }
  }

 private:
  static constexpr int classes = 4 * 48;
  source from_;
  memory_block* free_[classes]{};
  std::atomic_flag busy_{};

  friend struct fork_handlers;
  void lock() {
    while (busy_.test_and_set(std::memory_order_acquire)) {}
  }
  void unlock() { busy_.clear(std::memory_order_release); }

  static std::size_t class_bytes(int c) { return (std::size_t(64) << (c / 4)) / 4 * std::size_t(4 + c % 4); }
  static int size_class(std::size_t bytes) {
    int c = 0;
    while (class_bytes(c) < bytes) ++c;
    return c;
  }
  memory_block* make(int c, std::size_t wanted) {
    std::size_t n = class_bytes(c);
    void* p = from_.take(header + n, header + wanted);
    if (!p) {
      trim();
      p = from_.take(header + n, header + wanted);
    }
    if (!p) too_little(double(n));
    memory_block* b = new (p) memory_block;
    b->bytes = n;
    b->data = static_cast<char*>(p) + header;
    b->space = from_.space;
    b->context = this;
    b->drop = [](memory_block* x) { static_cast<pool*>(x->context)->give(x); };
    return b;
  }
};

// Never destroyed, and there before anything is constructed: arrays of static storage may outlive others.
inline constinit pool host_pool({memory_space::host, &take_from_host, &std::free});
static_assert(std::is_trivially_destructible_v<pool>);
inline pool& pool::host() { return host_pool; }

#if defined(ETNA_HAS_FORK)
/// The lock is free in a forked child: another thread that had it would not be there to open it.
struct fork_handlers {
  static inline int const registered =
      pthread_atfork([] { host_pool.lock(); }, [] { host_pool.unlock(); }, [] { host_pool.unlock(); });
};
#endif

/// The pool that a device shares with the host, while there is one.
inline std::atomic<pool*> of_device{nullptr};

inline memory_block* allocate(std::size_t bytes) {
  pool* p = of_device.load(std::memory_order_acquire);
  return (p ? *p : pool::host()).take(bytes);
}

/// Return to the system what etna keeps for reuse.
inline void trim() {
  pool::host().trim();
  if (pool* p = of_device.load(std::memory_order_acquire)) p->trim();
}

}  // namespace memory

inline void retain(memory_block* b) {
  if (b) b->refs.fetch_add(1, std::memory_order_relaxed);
}
inline void release(memory_block* b) {
  if (b && b->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) b->drop(b);
}

}  // namespace etna
