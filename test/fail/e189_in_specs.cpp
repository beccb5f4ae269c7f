// SPDX-License-Identifier: BSD-3-Clause
// expect: E189
// remedy: as many as there are arguments
#include <etna/etna.hpp>

#include <etna/dist/shard_map.hpp>

using namespace etna;

using four = dist::mesh<dist::axis("data"_n, 4)>;
using dist::in_specs, dist::out_specs, dist::spec;
auto z(array<float, 12> const& x) {
  return dist::shard_map<four, in_specs<spec<"data"_n>, spec<>>, out_specs<spec<"data"_n>>>(
      [](auto const& a, auto const& b, auto const& c) { return a + b + c; })(x, x, x);
}
