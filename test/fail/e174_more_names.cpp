// SPDX-License-Identifier: BSD-3-Clause
// expect: E174
// remedy: leave out the last ones
#include <etna/etna.hpp>

#include <etna/dist/placement.hpp>

using namespace etna;

using four = dist::mesh<dist::axis("data"_n, 4)>;
auto z(four const& m, array<float, 12> const& x) { return dist::device_put<dist::spec<"data"_n, none>>(m, x); }
