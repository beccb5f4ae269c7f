// SPDX-License-Identifier: BSD-3-Clause
#include <etna/etna.hpp>
#include <etna/exec/price.hpp>

#include <doctest/doctest.h>

namespace {

using namespace etna;

struct plan {
  static constexpr extent flops = 3'000'000;
};
constexpr machine_price machine{"of an example", 3.6, 1e9};

TEST_CASE("an epoch's time and money") {
  // 4 steps of 3 ms each, the last one of 2 examples
  constexpr auto cost = cost_of_epoch<plan>(machine, 98, 32);
  CHECK(cost.seconds == doctest::Approx(0.012));
  CHECK(cost.money == doctest::Approx(0.012e-3));
  CHECK(cost.examples_an_hour == doctest::Approx(98 / 0.012 * 3600));
}

TEST_CASE("of a jitted step") {
  constexpr auto f = jit([](array<float, 64, 64> a, array<float, 64, 64> b) { return dot(a, b); });
  constexpr auto cost = cost_of_epoch<plan_type<decltype(f)>>(machine, 10, 10);
  CHECK(cost.seconds == doctest::Approx(2 * 64. * 64 * 64 / 1e9));
}

}  // namespace
