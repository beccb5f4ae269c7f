// SPDX-License-Identifier: BSD-3-Clause
// expect: E065
#include <etna/etna.hpp>
#include <etna/interop/kokkos_view.hpp>

using namespace etna;

template struct message::E065_memory_of_a_device<void>;
