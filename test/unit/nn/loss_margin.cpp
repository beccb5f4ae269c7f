// SPDX-License-Identifier: BSD-3-Clause
// Losses of margins against Optax.
#include "losses.hpp"

using namespace test;

TEST_CASE("losses of margins are Optax's") {
  is_loss_of_optax(
      reference::loss_hinge_loss, [](auto const& x, auto const& y) { return hinge_loss(x, y); }, x, signs);
  is_loss_of_optax(
      reference::loss_perceptron_loss, [](auto const& x, auto const& y) { return perceptron_loss(x, y); }, x, signs);
  is_loss_of_optax(
      reference::loss_multiclass_hinge_loss,
      [](auto const& x) {
        return multiclass_hinge_loss(x, array<int, 3>{2, 0, 3});
      },
      x);
  is_loss_of_optax(
      reference::loss_multiclass_perceptron_loss,
      [](auto const& x) {
        return multiclass_perceptron_loss(x, array<int, 3>{2, 0, 3});
      },
      x);
}
