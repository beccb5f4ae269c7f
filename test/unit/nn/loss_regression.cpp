// SPDX-License-Identifier: BSD-3-Clause
// Losses of numbers against Optax.
#include "losses.hpp"

using namespace test;

TEST_CASE("losses of numbers are Optax's") {
  is_loss_of_optax(
      reference::loss_l2_loss, [](auto const& x, auto const& y) { return l2_loss(x, y); }, x, y);
  is_loss_of_optax(
      reference::loss_squared_error, [](auto const& x, auto const& y) { return squared_error(x, y); }, x, y);
  is_loss_of_optax(
      reference::loss_huber_loss, [](auto const& x, auto const& y) { return huber_loss(x, y, 0.6); }, x, y);
  is_loss_of_optax(
      reference::loss_log_cosh, [](auto const& x, auto const& y) { return log_cosh(x, y); }, x, y);
}

TEST_CASE("losses of vectors are Optax's") {
  is_loss_of_optax(
      reference::loss_cosine_similarity, [](auto const& x, auto const& y) { return cosine_similarity(x, y); }, x, y);
  is_loss_of_optax(
      reference::loss_cosine_distance, [](auto const& x, auto const& y) { return cosine_distance(x, y, 1e-3); }, x, y);
  is_loss_of_optax(
      reference::loss_triplet_margin_loss,
      [](auto const& x, auto const& y, auto const& z) { return triplet_margin_loss(x, y, z); }, x, y, z);
}

TEST_CASE("losses of large numbers are finite") {
  array<float, 3> const far{1e4f, -1e4f, 0};
  near(log_cosh(far, zeros_like(far)), array<float, 3>{1e4f - 0.6931472f, 1e4f - 0.6931472f, 0});
  near(huber_loss(far, zeros_like(far)), array<float, 3>{1e4f - 0.5f, 1e4f - 0.5f, 0});
  CHECK(cosine_similarity(array<float, 2, 2>{{0, 0}, {3, 4}}, array<float, 2, 2>{{1, 0}, {3, 4}}, 1e-8f)(0) == 0);
}
