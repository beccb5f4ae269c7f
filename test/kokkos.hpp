// SPDX-License-Identifier: BSD-3-Clause
// Kokkos for tests that use it themselves; etna begins none.
#pragma once
#include <Kokkos_Core.hpp>

namespace test {

/// Kokkos runs, from here to the end of the program.
inline void with_kokkos() {
  if (Kokkos::is_initialized()) return;
  static Kokkos::ScopeGuard const kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
}

}  // namespace test
