// SPDX-License-Identifier: BSD-3-Clause
// One kernel to one parallel call. Units are independent, so the number of threads does not show in
// the bits; small work, and work inside somebody's parallel region, runs where it is called.
// Read next: run.hpp.
#pragma once
#include <atomic>
#include <cstdint>
#if defined(_OPENMP)
#include <omp.h>
#endif

#include <etna/tuning.hpp>
#include <etna/planning/plan.hpp>

#include "float_mode.hpp"
#include "space.hpp"

namespace etna::exec {

/// Is the caller inside a parallel region of its own?
inline bool in_parallel() {
#if defined(_OPENMP)
  return omp_in_parallel() != 0;
#else
  return false;
#endif
}

/// Do several threads pay, and may they be had?
inline bool may_share(double work) {
  return work >= tuning::parallel_pays && host_space().concurrency() > 1 && !in_parallel();
}
/// How many it would be. (Little work runs without Kokkos being initialised.)
inline std::int64_t threads_for(double work) { return may_share(work) ? host_space().concurrency() : 1; }

/// What a tool of Kokkos reads: the scopes of a kernel and its operations.
struct label {
  const char* operations;
  planning::packed_text scope;
  std::string text() const {
    std::string s;
    for (int i = 0; i < scope.size(); ++i) s += scope[i];
    return s.empty() ? operations : s + ": " + operations;
  }
  /// Kokkos copies a name: the whole one only where a tool reads it.
  std::string shown() const { return Kokkos::Tools::profileLibraryLoaded() ? text() : std::string("etna"); }
};

/// Call body(from, to) for shares of [0, units).
template <class Body> inline void launch(label const& name_of, std::int64_t units, double work, Body const& body) {
  if (units < 2 || !may_share(work)) {
    body(std::int64_t(0), units);
    return;
  }
  std::int64_t const threads = host_space().concurrency();
  // One caller at a time has the thread pool; others go on alone.
  static std::atomic_flag busy;
  if (busy.test_and_set(std::memory_order_acquire)) {
    body(std::int64_t(0), units);
    return;
  }
  std::string const name = name_of.shown();
  std::int64_t shares = units < threads ? units : threads;
  float_mode const mode = float_mode::now();
  Kokkos::parallel_for(name, Kokkos::RangePolicy<host_space>(0, shares), [&](std::int64_t t) {
    in_float_mode here(mode);
    body(units * t / shares, units * (t + 1) / shares);
  });
  busy.clear(std::memory_order_release);
}

}  // namespace etna::exec
