// SPDX-License-Identifier: BSD-3-Clause
// expect: E187
// remedy: make the predicate the same on all
#include <etna/etna.hpp>

#include <etna/dist/shard_map.hpp>

using namespace etna;

using four = dist::mesh<dist::axis("data"_n, 4)>;
using dist::in_specs, dist::out_specs, dist::spec;
auto z(array<float, 12> const& x) {
  return dist::shard_map<four, in_specs<spec<"data"_n>>, out_specs<spec<"data"_n>>>([](auto const& t) {
    return cond(
        sum(t) > 0.f, [](auto const& y) { return psum<"data"_n>(y); }, [](auto const& y) { return y; }, t);
  })(x);
}
