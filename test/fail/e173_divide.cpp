// SPDX-License-Identifier: BSD-3-Clause
// expect: E173
// remedy: pad: device_put_padded
#include <etna/etna.hpp>

#include <etna/dist/placement.hpp>

using namespace etna;

using four = dist::mesh<dist::axis("data"_n, 4)>;
auto z(four const& m, array<float, 10, 3> const& x) { return dist::device_put<dist::spec<"data"_n>>(m, x); }
