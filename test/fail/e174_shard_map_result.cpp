// SPDX-License-Identifier: BSD-3-Clause
// expect: E174
// remedy: write one of its names
#include <etna/etna.hpp>

#include <etna/dist/shard_map.hpp>

using namespace etna;

using four = dist::mesh<dist::axis("data"_n, 4)>;
using dist::in_specs, dist::out_specs, dist::spec;
auto z(array<float, 12> const& x) {
  return dist::shard_map<four, in_specs<spec<>>, out_specs<spec<"batch"_n>>>([](auto const& a) { return a; })(x);
}
