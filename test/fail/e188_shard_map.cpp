// SPDX-License-Identifier: BSD-3-Clause
// expect: E188
// remedy: cut it anew before
#include <etna/etna.hpp>

#include <etna/dist/shard_map.hpp>

using namespace etna;

using four = dist::mesh<dist::axis("data"_n, 4)>;
using dist::in_specs, dist::out_specs, dist::spec;
auto z(dist::sharded<array<float, 12, 3>, four, spec<none, "data"_n>> const& x) {
  return dist::shard_map<four, in_specs<spec<"data"_n>>, out_specs<spec<"data"_n>>>([](auto const& t) { return t; })(x);
}
