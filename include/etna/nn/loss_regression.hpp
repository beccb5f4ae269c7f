// SPDX-License-Identifier: BSD-3-Clause
// Losses of numbers: squares, Huber's, log cosh, angles, triplets. Read next: loss_divergence.hpp.
#pragma once
#include "loss.hpp"

namespace etna {

/// Half of (prediction - target)^2, element by element.
///
/// errors  E021 the shapes differ
/// source  optax l2_loss
template <any_array A, any_array B> constexpr auto l2_loss(A const& prediction, B const& target) {
  return 0.5 * squared_error(prediction, target);
}

/// Half of the squared error where that is less than delta, and a line beyond, element by element.
///
/// diff    forward and reverse; the line's at delta
/// errors  E021 the shapes differ
/// source  Huber, Robust Estimation of a Location Parameter, 1964; optax huber_loss
template <any_array A, any_array B, numpy::scalar_operand D = double>
constexpr auto huber_loss(A const& prediction, B const& target, D const& delta = 1.) {
  constexpr bool same = nn::require_one_shape<A, B>();
  if constexpr (!same) return prediction;
  else {
    auto error = abs(prediction - target);
    auto near = minimum(error, delta);
    return 0.5 * square(near) + delta * (error - near);
  }
}

/// log(cosh(prediction - target)), element by element, without overflow.
///
/// errors  E021 the shapes differ
/// source  optax log_cosh
template <any_array A, any_array B> constexpr auto log_cosh(A const& prediction, B const& target) {
  constexpr bool same = nn::require_one_shape<A, B>();
  if constexpr (!same) return prediction;
  else {
    auto error = prediction - target;
    return logaddexp(error, -error) - 0.69314718055994531;
  }
}

/// The cosine of the angle between vectors along the last axis. Squares of norms below epsilon are taken for it.
///
/// shape   [b, n], [b, n] -> [b]
/// errors  E021 the shapes differ
/// source  optax cosine_similarity
template <any_array A, any_array B, numpy::scalar_operand E = double>
constexpr auto cosine_similarity(A const& predictions, B const& targets, E const& epsilon = 0.) {
  constexpr bool same = nn::require_one_shape<A, B>();
  if constexpr (!same) return predictions;
  else {
    auto unit = [&](auto const& x) { return x / sqrt(maximum(sum<-1>(square(x), keepdims), epsilon)); };
    return sum<-1>(unit(predictions) * unit(targets));
  }
}
/// 1 minus cosine_similarity.
///
/// shape   [b, n], [b, n] -> [b]
/// errors  E021 the shapes differ
/// source  optax cosine_distance
template <any_array A, any_array B, numpy::scalar_operand E = double>
constexpr auto cosine_distance(A const& predictions, B const& targets, E const& epsilon = 0.) {
  return 1 - cosine_similarity(predictions, targets, epsilon);
}

/// How much nearer the positives are to the anchors than the negatives are, below the margin; vectors along the last
/// axis, distances of Norm powers.
///
/// shape   three [b, n] -> [b]
/// errors  E021 the shapes differ
/// source  Schroff, Kalenichenko and Philbin, FaceNet, arXiv 1503.03832; optax triplet_margin_loss
template <int Norm = 2, any_array A, any_array P, any_array N, numpy::scalar_operand M = double>
constexpr auto triplet_margin_loss(A const& anchors, P const& positives, N const& negatives, M const& margin = 1.) {
  constexpr bool same = nn::require_one_shape<A, P>() && nn::require_one_shape<A, N>();
  if constexpr (!same) return anchors;
  else {
    auto distance = [&](auto const& x) { return pow(sum<-1>(pow(anchors - x, Norm)) + 1e-6, 1. / Norm); };
    return maximum(distance(positives) - distance(negatives) + margin, 0);
  }
}

}  // namespace etna
