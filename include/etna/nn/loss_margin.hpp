// SPDX-License-Identifier: BSD-3-Clause
// Losses of scores that should keep a margin. Read next: loss_ctc.hpp.
#pragma once
#include "loss.hpp"

namespace etna {

/// How far prediction * target is below 1, for targets of -1 and 1, element by element.
///
/// errors  E021 the shapes differ
/// source  optax hinge_loss
template <any_array A, any_array B> constexpr auto hinge_loss(A const& prediction, B const& target) {
  constexpr bool same = nn::require_one_shape<A, B>();
  if constexpr (!same) return prediction;
  else return maximum(0, 1 - prediction * target);
}
/// How far prediction * target is below 0.
///
/// errors  E021 the shapes differ
/// source  optax perceptron_loss
template <any_array A, any_array B> constexpr auto perceptron_loss(A const& prediction, B const& target) {
  constexpr bool same = nn::require_one_shape<A, B>();
  if constexpr (!same) return prediction;
  else return maximum(0, -prediction * target);
}

/// The greatest score, with 1 more for wrong classes, less that of the label.
///
/// shape   scores [b, c], labels [b] -> [b]
/// errors  E019 labels of another shape, E020 labels that are not integers
/// source  Crammer and Singer, On the Algorithmic Implementation of Multiclass Kernel-based Vector Machines, 2001;
/// optax multiclass_hinge_loss
template <any_array S, any_array Y> constexpr auto multiclass_hinge_loss(S const& scores, Y const& labels) {
  constexpr bool fit = nn::require_labels<S, Y>();
  if constexpr (!fit) return scores;
  else {
    auto x = nn::floating(scores);
    auto wrong = not_equal(arange<int, S::type.e[S::rank - 1]>(), expand_dims<-1>(labels));
    return max<-1>(where(wrong, x + 1, x)) - nn::of_label(x, labels);
  }
}
/// The greatest score less that of the label.
///
/// shape   scores [b, c], labels [b] -> [b]
/// errors  E019 labels of another shape, E020 labels that are not integers
/// source  optax multiclass_perceptron_loss
template <any_array S, any_array Y> constexpr auto multiclass_perceptron_loss(S const& scores, Y const& labels) {
  constexpr bool fit = nn::require_labels<S, Y>();
  if constexpr (!fit) return scores;
  else {
    auto x = nn::floating(scores);
    return max<-1>(x) - nn::of_label(x, labels);
  }
}

}  // namespace etna
