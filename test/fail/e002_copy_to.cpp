// SPDX-License-Identifier: BSD-3-Clause
// expect: E002
#include <etna/etna.hpp>
#include <etna/interop/kokkos_view.hpp>

using namespace etna;

using floats = Kokkos::View<float*, Kokkos::HostSpace>;
void f(floats x, array<double, 100> a) { copy_to(x, a); }
