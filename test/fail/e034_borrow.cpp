// SPDX-License-Identifier: BSD-3-Clause
// expect: E034
#include <etna/etna.hpp>
#include <etna/interop/kokkos_view.hpp>

using namespace etna;

using floats = Kokkos::View<float*, Kokkos::HostSpace>;
auto f(floats x) { return borrow<array<double, "n"_n>>(x); }
