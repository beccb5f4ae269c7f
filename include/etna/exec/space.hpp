// SPDX-License-Identifier: BSD-3-Clause
// Where kernels run on the host: on Kokkos' threads while Kokkos runs, otherwise on those of OpenMP, which are the same
// ones. Its beginning and its end are the user's. Read next: tools.hpp.
#pragma once
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>
#include <type_traits>
#if defined(_OPENMP)
#include <omp.h>
#endif

#include "float_mode.hpp"
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

/// Body(from, to) for shares of [0, units); of one type, so that loops over shares are compiled once. All that a thread
/// needs lies in it together, since it comes from another thread's cache.
struct shared_work {
  void const* body;
  void (*run)(void const* body, std::int64_t from, std::int64_t to);
  std::int64_t units, shares;
  float_mode mode = float_mode::now();
  template <class Body> static shared_work of(Body const& body, std::int64_t units, std::int64_t shares) {
    return {&body, [](void const* b, std::int64_t from, std::int64_t to) { (*static_cast<Body const*>(b))(from, to); },
            units, shares};
  }
  void operator()(std::int64_t share) const {
    in_float_mode here(mode);
    run(body, units * share / shares, units * (share + 1) / shares);
  }
};
/// Run all shares, on so many threads as there are here, more than one.
inline void run_shares([[maybe_unused]] std::string const& name, [[maybe_unused]] int threads, shared_work const& w) {
  process::has_threads();
  if (Kokkos::is_initialized())
    return Kokkos::parallel_for(name, Kokkos::RangePolicy<host_space>(0, w.shares),
                                [w](std::int64_t share) { w(share); });
#if defined(_OPENMP)
  bool const seen = Kokkos::Tools::profileLibraryLoaded();
  std::uint64_t id = 0;
  if (seen) Kokkos::Tools::beginParallelFor(name, 0, &id);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t share = 0; share < w.shares; ++share) w(share);
  if (seen) Kokkos::Tools::endParallelFor(id);
#endif
}

}  // namespace etna::exec
