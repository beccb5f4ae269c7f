// SPDX-License-Identifier: BSD-3-Clause
// Adafactor against Optax, of matrices that are factored and that are not.
#include "optim.hpp"

using namespace test;

namespace {
constexpr auto rate = optim::warmup_cosine_decay_schedule(0.01, 0.1, 5, 25, 0.001);
constexpr auto factored = optim::adafactor<3>(0.1);
constexpr auto whole = optim::adafactor(rate, {.weight_decay_rate = 0.01}, 0.9);
}  // namespace

TEST_CASE("adafactor is Optax's") {
  is_optax<factored>(reference::optim_adafactor);
  is_optax<whole>(reference::optim_adafactor_whole);
}

TEST_CASE("the two longest axes are factored") {
  constexpr auto rule = optim::scale_by_factored_rms<4>();
  auto const s = rule.init(array<float, 5, 2, 7>{});
  static_assert(std::is_same_v<decltype(s.v_row), array<float, 5, 2>>);
  static_assert(std::is_same_v<decltype(s.v_col), array<float, 2, 7>>);
  static_assert(std::is_same_v<decltype(s.v), array<float, 1>>);
  auto const g = some<array<float, 5, 2, 7>>(1);
  auto [u, next] = rule.update(g, s);
  static_assert(std::is_same_v<decltype(next), std::remove_const_t<decltype(s)>>);
  near(next.v_row, mean<2>(square(g)));
  near(next.v_col, mean<0>(square(g)));
  auto const t = rule.init(array<float, 3, 7>{});  // the shorter axis has too few
  static_assert(std::is_same_v<decltype(t.v), array<float, 3, 7>>);
}
