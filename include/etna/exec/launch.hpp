// SPDX-License-Identifier: BSD-3-Clause
// One kernel to one parallel call. Units are independent, so the number of threads does not show in
// the bits; small work, and work inside somebody's parallel region, runs where it is called.
// Read next: run.hpp.
#pragma once
#include <atomic>
#include <cstdint>

#include <etna/tuning.hpp>
#include <etna/planning/plan.hpp>

#include "tools.hpp"

namespace etna::exec {

/// Threads that share so much work: several where they pay.
inline int threads_for(double work) { return work >= tuning::parallel_pays ? threads_here() : 1; }

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

/// One caller at a time has the threads; others go on alone.
inline std::atomic_flag threads_are_taken;

/// What runs where it is called, while a tool looks on. Several threads may do so at once, so a tool must bear calls
/// from several.
ETNA_NOINLINE inline void run_seen(label const& name_of, shared_work const& w) {
  seen_by_tool const here(name_of);
  w.run(w.body, 0, w.units);
}

/// Call body(from, to) for shares of [0, units).
template <class Body> inline void launch(label const& name_of, std::int64_t units, double work, Body const& body) {
  int const threads = units < 2 ? 1 : threads_for(work);
  if (threads == 1 || threads_are_taken.test_and_set(std::memory_order_acquire)) {
    if (Kokkos::Tools::profileLibraryLoaded()) [[unlikely]]
      return run_seen(name_of, shared_work::of(body, units, 1));
    body(std::int64_t(0), units);
    return;
  }
  run_shares(name_of.shown(), threads, shared_work::of(body, units, units < threads ? units : threads));
  threads_are_taken.clear(std::memory_order_release);
}

}  // namespace etna::exec
