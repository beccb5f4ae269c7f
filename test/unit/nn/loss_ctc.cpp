// SPDX-License-Identifier: BSD-3-Clause
// The loss of sequences against Optax, and against a sum over alignments.
#include "losses.hpp"

using namespace test;

TEST_CASE("ctc_loss is Optax's") {
  is_loss_of_optax(
      reference::loss_ctc_loss,
      [](auto const& x) {
        return ctc_loss(x, array<double, 2, 7>{{0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1, 1}},
                        array<int, 2, 3>{{1, 2, 2}, {3, 1, 0}}, array<double, 2, 3>{{0, 0, 0}, {0, 0, 1}});
      },
      some<array<double, 2, 7, 5>>(54));
}

TEST_CASE("ctc_loss sums over alignments") {
  auto const x = some<array<double, 1, 2, 3>>(1);
  auto const p = softmax(x);
  auto const loss = ctc_loss(x, array<bool, 1, 2>{{false, false}}, array<int, 1, 1>{{1}}, array<bool, 1, 1>{{false}});
  double const all = p(0, 0, 1) * p(0, 1, 1) + p(0, 0, 0) * p(0, 1, 1) + p(0, 0, 1) * p(0, 1, 0);
  CHECK(loss(0) == doctest::Approx(-std::log(all)));
  auto const other = ctc_loss(x, array<bool, 1, 2>{{false, false}}, array<int, 1, 1>{{1}}, array<bool, 1, 1>{{false}},
                              {.blank_id = 2});
  double const others = p(0, 0, 1) * p(0, 1, 1) + p(0, 0, 2) * p(0, 1, 1) + p(0, 0, 1) * p(0, 1, 2);
  CHECK(other(0) == doctest::Approx(-std::log(others)));
}
