// SPDX-License-Identifier: BSD-3-Clause
// dist::measure: a machine whose messages are known is found again. (Real ones: bench/ranks.)
#include <doctest/doctest.h>

#include <etna/dist/measure.hpp>
#include <etna/dist/modelled_group.hpp>
#include <etna/group/one_process.hpp>

using namespace etna;

TEST_CASE("a processor has rates") {
  dist::one_process alone;
  dist::machine const m = dist::measure(alone);
  CHECK(m.product_f32 > 1e6);
  CHECK(m.product_f64 > 1e6);
  CHECK(m.kernel_f32 > 1e6);
  CHECK(m.kernel_f64 > 1e6);
  CHECK(m.memory > 1e8);
  REQUIRE(m.caches.size() == 3);
  CHECK(m.memory_rate(1000) == m.caches[0].rate);
  CHECK(m.memory_rate(1e9) == m.memory);
  CHECK(m.ranks_a_node == 1);
}
TEST_CASE("a machine that is found again") {
  dist::machine known = dist::measure();
  known.inside = known.between = {5e-4, 1e9};
  known.ranks_a_node = 4;
  dist::modelled_group g(4, known);
  dist::machine const m = dist::measure(g);
  // other programs make it longer, never shorter
  CHECK(m.inside.latency >= 4.9e-4);
  CHECK(m.inside.latency < 5e-3);
  CHECK(m.inside.bandwidth > 0.05e9);
  CHECK(m.inside.bandwidth < 10e9);
  CHECK(m.ranks_a_node == 4);
  CHECK(m.added > 0);
  CHECK(m.busy >= 0);
  CHECK(m.busy <= 1);
}
