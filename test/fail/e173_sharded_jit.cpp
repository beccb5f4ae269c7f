// SPDX-License-Identifier: BSD-3-Clause
// expect: E173
// remedy: takes nothing that is padded
#include <etna/etna.hpp>

#include <etna/dist/placement.hpp>
#include <etna/dist/sharded_jit.hpp>

using namespace etna;

using four = dist::mesh<dist::axis("data"_n, 4)>;
auto z(four const& m, array<float, 10, 4> const& x) {
  auto const padded = dist::device_put_padded<dist::spec<"data"_n>>(m, x, 7.0f);
  return dist::jit<four>([](auto const& t) { return sum(t); })(padded);
}
