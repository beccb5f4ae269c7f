// SPDX-License-Identifier: BSD-3-Clause
// What the machine can do at most, measured: multiplications and additions in registers, and copies of memory that no
// cache holds. In some 100 ms, once for each number of threads. Read next: explain.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>

#include <etna/lower/lanes.hpp>

#include "launch.hpp"

namespace etna::exec {

/// A second's floating-point operations and copied bytes (what is read and what is written), by so many threads.
struct machine_limits {
  int threads = 0;
  double fma_f32 = 0, fma_f64 = 0, copy = 0;
};

/// Call body(t) on each thread; the seconds of the fastest of `rounds` calls, or of those that 0.2 s have room for (a
/// program that is not optimised takes seconds for one).
template <class Body> double fastest(int rounds, int threads, Body const& body) {
  using clock = std::chrono::steady_clock;
  double least = 1e30;
  auto const first = clock::now();
  for (int i = 0; i < rounds; ++i) {
    auto const begin = clock::now();
    if (i > 0 && begin - first > std::chrono::milliseconds(200)) break;
    if (threads == 1) body(0);
    else
      run_shares("etna: limits", threads,
                 shared_work::of([&](std::int64_t t, std::int64_t) { body(t); }, threads, threads));
    least = std::min(least, std::chrono::duration<double>(clock::now() - begin).count());
  }
  return least;
}

/// The optimiser must have what p points to in memory.
inline void taken_for_read(void const* p) { asm volatile("" ::"r"(p) : "memory"); }

/// x = x * b + c in as many registers as hide its latency, `turns` times: operations a turn.
template <class T> struct fma_chain {
#if defined(ETNA_HAS_SIMD)
  using lanes = lower::packed<T>;
#else
  using lanes = lower::one;
#endif
  using value = typename lanes::template of<T>;
  static constexpr int chains = 12;
  static constexpr double flops = 2.0 * chains * lanes::width;
  ETNA_NOINLINE static void run(std::int64_t turns, T* numbers) {
    value const b = lanes::spread(numbers[0]), c = lanes::spread(numbers[1]);
    value x[chains];
    ETNA_UNROLL for (int i = 0; i < chains; ++i) x[i] = lanes::spread(T(i));
    for (std::int64_t k = 0; k < turns; ++k)
      ETNA_UNROLL for (int i = 0; i < chains; ++i) x[i] = math::mul_add(x[i], b, c);
    T stored[lanes::width];
    value sum = x[0];
    ETNA_UNROLL for (int i = 1; i < chains; ++i) sum = sum + x[i];
    lanes::store(stored, sum);
    numbers[2] = stored[0];
  }
};
template <class T> double measure_fma(int threads) {
  constexpr std::int64_t turns = 100000;  // a third of a millisecond: a part of what a scheduler gives at once
  return threads * double(turns) * fma_chain<T>::flops / fastest(40, threads, [](std::int64_t) {
           T numbers[3] = {T(0.5), T(1), T(0)};
           fma_chain<T>::run(turns, numbers);
           taken_for_read(numbers);
         });
}
inline double measure_copy(int threads) {
  constexpr std::size_t bytes = tuning::measured_copy;
  std::unique_ptr<char[]> from(new char[bytes]), to(new char[bytes]);
  auto part = [&](std::int64_t t) { return bytes * std::size_t(t) / std::size_t(threads); };
  auto each = [&](auto const& act) { return [&](std::int64_t t) { act(part(t), part(t + 1) - part(t)); }; };
  // memory comes where it is first written: by the thread that uses it
  fastest(1, threads, each([&](std::size_t at, std::size_t n) {
            std::memset(from.get() + at, 1, n);
            std::memset(to.get() + at, 1, n);
          }));
  return 2.0 * double(bytes) / fastest(5, threads, each([&](std::size_t at, std::size_t n) {
                                         std::memcpy(to.get() + at, from.get() + at, n);
                                       }));
}

/// The limits for launches from here, measured when first asked for. Not for many threads at once.
inline machine_limits const& limits() {
  static std::map<int, machine_limits> known;
  machine_limits& m = known[threads_here()];
  if (m.threads == 0) {
    m.threads = threads_here();
    m.fma_f32 = measure_fma<float>(m.threads);
    m.fma_f64 = measure_fma<double>(m.threads);
    m.copy = measure_copy(m.threads);
  }
  return m;
}

}  // namespace etna::exec

#include <etna/set_back.hpp>
