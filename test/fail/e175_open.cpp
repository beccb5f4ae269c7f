// SPDX-License-Identifier: BSD-3-Clause
// expect: E175
// remedy: or give the shard's type
#include <etna/etna.hpp>

#include <etna/dist/placement.hpp>

using namespace etna;

auto z(dist::mesh<"data"_n> const& m, array<float, 12, 3> const& x) {
  return dist::device_put<dist::spec<"data"_n>>(m, x);
}
