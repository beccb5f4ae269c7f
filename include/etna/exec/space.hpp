// SPDX-License-Identifier: BSD-3-Clause
// Where kernels run: Kokkos, initialised by etna when the user has not done it. Read next: launch.hpp.
#pragma once
#include <Kokkos_Core.hpp>
#include <cstdlib>
#include <mutex>

#include "device.hpp"

namespace etna::exec {

/// Make sure that Kokkos runs; a user's own initialisation is left alone, and so is its end.
inline void ensure_kokkos() {
  if (Kokkos::is_initialized()) return use_device_memory();
  static std::once_flag once;
  std::call_once(once, [] {
    if (Kokkos::is_initialized()) return;
    Kokkos::initialize(Kokkos::InitializationSettings().set_disable_warnings(true));
    std::atexit([] {
      if (Kokkos::is_initialized() && !Kokkos::is_finalized()) Kokkos::finalize();
    });
  });
  use_device_memory();
}

using host_space = Kokkos::DefaultHostExecutionSpace;

}  // namespace etna::exec
