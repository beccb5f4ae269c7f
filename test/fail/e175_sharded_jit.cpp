// SPDX-License-Identifier: BSD-3-Clause
// expect: E175
// remedy: write the size
#include <etna/etna.hpp>

#include <etna/dist/sharded_jit.hpp>

using namespace etna;

using open = dist::mesh<"data"_n>;
auto z(dist::sharded<array<float, 12, 4>, open, dist::spec<"data"_n>> const& x) {
  return dist::jit<open>([](auto const& t) { return sum(t); })(x);
}
