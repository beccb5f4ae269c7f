// SPDX-License-Identifier: BSD-3-Clause
// Where kernels run on the host: on Kokkos' threads while Kokkos runs, otherwise on those of OpenMP, which are the same
// ones. Its beginning and its end are the user's. Read next: launch.hpp.
#pragma once
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <type_traits>
#if defined(_OPENMP)
#include <omp.h>
#endif

#include "process.hpp"

namespace etna::exec {

using host_space = Kokkos::DefaultHostExecutionSpace;

#if defined(_OPENMP) && defined(KOKKOS_ENABLE_OPENMP)
inline constexpr bool is_openmp = std::is_same_v<host_space, Kokkos::OpenMP>;
#else
inline constexpr bool is_openmp = false;
#endif

/// Is the caller inside a parallel region of its own?
inline bool in_parallel() {
#if defined(_OPENMP)
  return omp_in_parallel() != 0;
#else
  return false;
#endif
}

/// Threads that a launch from here has.
inline int threads_here() {
  if (in_parallel() || !process::may_have_threads()) return 1;
  if (Kokkos::is_initialized()) return int(host_space().concurrency());
#if defined(_OPENMP)
  if constexpr (is_openmp) return omp_get_max_threads();
#endif
  return 1;
}

/// Something to do in shares; of one type, so that loops over them are compiled once.
struct shared_work {
  void const* body;
  void (*run)(void const* body, std::int64_t share);
  template <class Body> static shared_work of(Body const& body) {
    return {&body, [](void const* b, std::int64_t share) { (*static_cast<Body const*>(b))(share); }};
  }
};
/// Run all shares, on so many threads as there are here, more than one.
inline void run_shares(std::string const& name, std::int64_t shares, [[maybe_unused]] int threads,
                       shared_work const& w) {
  process::has_threads();
  if (Kokkos::is_initialized())
    return Kokkos::parallel_for(name, Kokkos::RangePolicy<host_space>(0, shares),
                                [w](std::int64_t share) { w.run(w.body, share); });
#if defined(_OPENMP)
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t share = 0; share < shares; ++share) w.run(w.body, share);
#endif
}

}  // namespace etna::exec
