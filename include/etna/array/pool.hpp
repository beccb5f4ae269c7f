// SPDX-License-Identifier: BSD-3-Clause
// The pool that keeps blocks which were let go, and gives back what has no use. Read next: storage.hpp.
#pragma once
#include <new>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "memory_block.hpp"

namespace etna::memory {

/// Bytes of blocks: those that somebody owns now, the most there were of these at a time, and those with what is kept.
///
/// source  JAX Device.memory_stats
struct stats {
  std::size_t bytes_in_use = 0, peak_bytes_in_use = 0, bytes_reserved = 0;
};

/// Free blocks by size class: four classes an octave, so at most a fifth of a block is unused. A loop takes in each
/// turn what it let go in the one before. Large blocks go back to the system where they have no such use: those that
/// were not taken while `patience` times all that the pool has was (so filling new pages costs at most that part of the
/// pages that were used), and, where a block must come from the system, the longest kept ones of what would be more
/// than `slack` times the most that was in use at a time.
class pool {
 public:
  constexpr explicit pool(source const& s) : from_(s) {}
  static pool& host();
  memory_block* take(std::size_t bytes) {
    if (bytes > most_bytes) too_little(double(bytes));
    int const c = size_class(bytes);
    std::size_t const n = class_bytes(c);
    lock();
    memory_block* b = pop(c);
    if (!b && reserved_ + n > most(n))  // rather one of up to twice the size than pages that are new
      for (int k = c + 1; !b && k <= c + 4 && k < classes; ++k) b = pop(k);
    clock_ += n;
    if (b) count(b->bytes);
    bool const look = clock_ >= next_look_ || (!b && reserved_ + n > most(n));
    unlock();
    if (look) give_back(b ? 0 : n);
    if (!b) {
      b = make(n, bytes);
      lock();
      reserved_ += n;
      count(n);
      unlock();
    }
    b->refs.store(1, std::memory_order_relaxed);
    return b;
  }
  void give(memory_block* b) {
    int const c = size_class(b->bytes);
    lock();
    in_use_ -= b->bytes;
    b->since = clock_;
    b->next = free_[c];
    free_[c] = b;
    unlock();
  }
  /// Hand all that is kept back to the system.
  void empty_cache() {
    memory_block* out = nullptr;
    lock();
    for (int c = 0; c < classes; ++c)
      while (free_[c]) unlink(&free_[c], out);
    unlock();
    free_all(out);
  }
  memory::stats stats() {
    lock();
    memory::stats const s{in_use_, peak_, reserved_};
    unlock();
    return s;
  }

 private:
  using rule = tuning::pool;
  static constexpr int classes = 4 * 48;
  source from_;
  memory_block* free_[classes]{};
  std::size_t in_use_ = 0, peak_ = 0, reserved_ = 0;
  std::uint64_t clock_ = 0, next_look_ = rule::least;  // bytes taken so far, and when to look for what has no use
  std::atomic_flag busy_{};

  friend struct fork_handlers;
  void lock() {
    while (busy_.test_and_set(std::memory_order_acquire)) {}
  }
  void unlock() { busy_.clear(std::memory_order_release); }

  static constexpr std::size_t class_bytes(int c) { return (std::size_t(64) << (c / 4)) / 4 * std::size_t(4 + c % 4); }
  static constexpr int size_class(std::size_t bytes) {
    int c = 0;
    while (class_bytes(c) < bytes) ++c;
    return c;
  }
  /// How much the pool may have with a new block of n bytes.
  std::size_t most(std::size_t n) const {
    return rule::least + rule::slack * (peak_ > in_use_ + n ? peak_ : in_use_ + n);
  }
  memory_block* pop(int c) {
    memory_block* b = free_[c];
    if (b) free_[c] = b->next;
    return b;
  }
  void count(std::size_t n) {
    in_use_ += n;
    if (in_use_ > peak_) peak_ = in_use_;
  }
  void unlink(memory_block** at, memory_block*& out) {
    memory_block* b = *at;
    *at = b->next;
    reserved_ -= b->bytes;
    b->next = out;
    out = b;
  }
  /// What was not taken for long; and where n bytes will be new, the longest kept until there is room for them. Ages
  /// are halved from one walk of the lists to the next, in each of which those kept last come first.
  void give_back(std::size_t n) {
    memory_block* out = nullptr;
    lock();
    std::uint64_t age = rule::patience * std::uint64_t(reserved_ > rule::least ? reserved_ : rule::least);
    for (bool first = true;; first = false) {
      for (int c = classes; c-- > size_class(rule::large);)
        for (memory_block** at = &free_[c]; *at;)
          if (clock_ - (*at)->since >= age && (first || reserved_ + n > most(n))) unlink(at, out);
          else at = &(*at)->next;
      if (n == 0 || age == 0 || reserved_ + n <= most(n)) break;
      age /= 2;
    }
    next_look_ = clock_ + (reserved_ > rule::least ? reserved_ : rule::least);
    unlock();
    free_all(out);
  }
  void free_all(memory_block* b) {
    bool const any = b;
    while (b) {
      memory_block* next = b->next;
      b->~memory_block();
      from_.give(b);
      b = next;
    }
#if defined(__GLIBC__)
    if (any && from_.give == &std::free) malloc_trim(0);  // the pages of what lies between blocks that stay
#endif
    (void)any;
  }
  memory_block* make(std::size_t n, std::size_t wanted) {
    void* p = from_.take(header + n, header + wanted);
    if (!p) {
      empty_cache();
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

}  // namespace etna::memory
