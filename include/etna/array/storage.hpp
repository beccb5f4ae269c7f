// SPDX-License-Identifier: BSD-3-Clause
// Run-time memory: an intrusively counted block, kept for reuse when its last owner lets it go, so
// that a training loop allocates nothing after its first turn. (A Kokkos::View or shared_ptr member
// of array would fail in constant evaluation.) Read next: traced.hpp.
#pragma once
#include <cstring>
#include <type_traits>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define ETNA_HAS_FORK
#endif

#include "pool.hpp"

namespace etna {

namespace memory {

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

/// Return to the system what etna keeps for reuse: after a phase whose arrays were larger than those of the next.
///
/// source  PyTorch cuda.empty_cache
inline void empty_cache() {
  pool::host().empty_cache();
  if (pool* p = of_device.load(std::memory_order_acquire)) p->empty_cache();
}
/// Bytes of all blocks, those of memory that a device shares included; the peak is that of each, added.
///
/// source  JAX Device.memory_stats
inline stats memory_stats() {
  stats s = pool::host().stats();
  if (pool* p = of_device.load(std::memory_order_acquire)) {
    stats const more = p->stats();
    s.bytes_in_use += more.bytes_in_use;
    s.peak_bytes_in_use += more.peak_bytes_in_use;
    s.bytes_reserved += more.bytes_reserved;
  }
  return s;
}

}  // namespace memory

inline void retain(memory_block* b) {
  if (b) b->refs.fetch_add(1, std::memory_order_relaxed);
}
inline void release(memory_block* b) {
  if (b && b->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) b->drop(b);
}

}  // namespace etna
