// SPDX-License-Identifier: BSD-3-Clause
// Losses of probabilities against Optax.
#include <cmath>
#include <limits>

#include "losses.hpp"

using namespace test;

namespace {
constexpr auto of_truths = [](auto const& f) {
  return f(array<double, 3, 4>{{0, 0, 0, 1}, {1, 1, 0, 0}, {1, 0, 0, 1}});  // by them Optax has no derivative
};
}  // namespace

TEST_CASE("cross entropies of rows of probabilities are Optax's") {
  is_loss_of_optax(
      reference::loss_softmax_cross_entropy, [](auto const& x, auto const& y) { return softmax_cross_entropy(x, y); },
      x, shares);
  is_loss_of_optax(
      reference::loss_softmax_cross_entropy_smoothed,
      [](auto const& x, auto const& y) { return softmax_cross_entropy(x, smooth_labels(y, 0.1)); }, x, one_hot_labels);
  is_loss_of_optax(
      reference::loss_poly_loss_cross_entropy,
      [](auto const& x, auto const& y) { return poly_loss_cross_entropy(x, y); }, x, shares);
  // a row that is a label
  near(softmax_cross_entropy(x, one_hot_labels), softmax_cross_entropy(x, labels));
}

TEST_CASE("divergences are Optax's") {
  is_loss_of_optax(
      reference::loss_kl_divergence, [](auto const& x, auto const& y) { return kl_divergence(x, y); }, log_softmax(x),
      shares);
  is_loss_of_optax(
      reference::loss_kl_divergence_of_one_hot,
      [](auto const& x) {
        return kl_divergence(x, one_hot<double, 4>(array<int, 3>{2, 0, 3}));
      },
      log_softmax(x));
  is_loss_of_optax(
      reference::loss_kl_divergence_with_log_targets,
      [](auto const& x, auto const& y) { return kl_divergence_with_log_targets(x, y); }, log_softmax(x),
      log_softmax(y));
  is_loss_of_optax(
      reference::loss_generalized_kl_divergence,
      [](auto const& x, auto const& y) { return generalized_kl_divergence(x, y); }, x, shares);
}

TEST_CASE("js_divergence is SciPy's, its derivative JAX's") {
  is_loss_of_optax(
      reference::loss_js_divergence, [](auto const& x, auto const& y) { return js_divergence(x, y); }, log_softmax(x),
      shares);
  is_loss_of_optax(
      reference::loss_js_divergence_of_one_hot,
      [](auto const& x) {
        return js_divergence(x, one_hot<double, 4>(array<int, 3>{2, 0, 3}));
      },
      log_softmax(x));
  // what neither has counts nothing, what only one has log 2
  double const inf = std::numeric_limits<double>::infinity();
  array<double, 2, 3> const log_p{{0, -inf, -inf}, {-inf, 0, -inf}}, q{{0, 1, 0}, {0, 1, 0}};
  auto const d = js_divergence(log_p, q);
  CHECK(d(0) == doctest::Approx(std::log(2.0)));
  CHECK(d(1) == 0);
}

TEST_CASE("sigmoid_focal_loss is Optax's") {
  is_loss_of_optax(
      reference::loss_sigmoid_focal_loss,
      [](auto const& x) { return of_truths([&](auto const& y) { return sigmoid_focal_loss(x, y); }); }, x);
  is_loss_of_optax(
      reference::loss_sigmoid_focal_loss_alpha,
      [](auto const& x) { return of_truths([&](auto const& y) { return sigmoid_focal_loss(x, y, 1.5, 0.25); }); }, x);
  // far from zero
  array<float, 4> const far{1e3f, -1e3f, 1e3f, -1e3f}, is{1, 0, 0, 1};
  auto [value, pull] = vjp([&](auto const& x) { return sigmoid_focal_loss(x, is); }, far);
  near(value, array<float, 4>{0, 0, 1e3f, 1e3f});
  near(pull(ones_like(far)), array<float, 4>{0, 0, 1, -1});
}

TEST_CASE("dice_loss is Optax's") {
  auto const pictures = some<array<double, 2, 3, 2, 4>>(53);
  auto const classes = one_hot<double, 4>(array<int, 2, 3, 2>{{{0, 1}, {2, 3}, {1, 1}}, {{3, 3}, {0, 2}, {1, 0}}});
  is_loss_of_optax(
      reference::loss_dice_loss, [](auto const& x, auto const& y) { return dice_loss(x, y); }, pictures, classes);
  is_loss_of_optax(
      reference::loss_dice_loss_options,
      [](auto const& x, auto const& y) {
        return dice_loss(x, y, {.smooth = 0.5, .alpha = 0.3, .beta = 0.7, .ignore_background = true});
      },
      pictures, classes);
  // of one class, and of probabilities
  auto const one = some<array<double, 2, 5, 1>>(1), is = astype<double>(some<array<double, 2, 5, 1>>(2) > 0);
  near(dice_loss(one, is), dice_loss(sigmoid(one), is, {.apply_softmax = false}));
}
