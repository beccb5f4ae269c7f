// SPDX-License-Identifier: BSD-3-Clause
// expect: E174
// remedy: write one of its names, or none
#include <etna/etna.hpp>

#include <etna/dist/placement.hpp>

using namespace etna;

using four = dist::mesh<dist::axis("data"_n, 4)>;
auto z(four const& m, array<float, 12, 3> const& x) { return dist::device_put<dist::spec<"batch"_n>>(m, x); }
