// SPDX-License-Identifier: BSD-3-Clause
// Losses of probabilities: divergences, smoothed labels, focal and poly loss. Read next: loss_margin.hpp.
#pragma once
#include <etna/numpy/slicing.hpp>

#include "activation.hpp"
#include "loss.hpp"

namespace etna {

/// Labels, of which a share alpha goes to all classes of the last axis alike.
///
/// errors  E042 a named number of classes
/// source  Mueller, Kornblith and Hinton, When does label smoothing help, arXiv 1906.02629; optax smooth_labels
template <any_array A, numpy::scalar_operand S> requires(A::rank > 0)
constexpr auto smooth_labels(A const& labels, S const& alpha) {
  constexpr extent classes = A::type.e[A::rank - 1];
  if constexpr (classes < 0) message::fail<message::E042_part_of_a_named_axis<typename numpy::text_of<A>::type>>();
  return (1 - alpha) * labels + alpha / double(classes);
}

/// The sum of targets * log(targets / predictions) along the last axis, of which the predictions are given as
/// logarithms.
///
/// shape   [b, c], [b, c] -> [b]
/// errors  E021 the shapes differ
/// source  Kullback and Leibler, On Information and Sufficiency, 1951; optax kl_divergence
template <any_array A, any_array B> constexpr auto kl_divergence(A const& log_predictions, B const& targets) {
  constexpr bool same = nn::require_one_shape<A, B>();
  if constexpr (!same) return log_predictions;
  else {
    auto none = equal(targets, 0);
    return sum<-1>(targets * (log(where(none, 1, targets)) - log_predictions));
  }
}
/// The same of targets that are logarithms.
///
/// shape   [b, c], [b, c] -> [b]
/// errors  E021 the shapes differ
/// source  optax kl_divergence_with_log_targets
template <any_array A, any_array B>
constexpr auto kl_divergence_with_log_targets(A const& log_predictions, B const& log_targets) {
  constexpr bool same = nn::require_one_shape<A, B>();
  if constexpr (!same) return log_predictions;
  else return sum<-1>(exp(log_targets) * (log_targets - log_predictions));
}
/// kl_divergence plus the sum of predictions less that of targets, for what does not sum to 1.
///
/// shape   [b, c], [b, c] -> [b]
/// errors  E021 the shapes differ
/// source  optax generalized_kl_divergence
template <any_array A, any_array B>
constexpr auto generalized_kl_divergence(A const& log_predictions, B const& targets) {
  constexpr bool same = nn::require_one_shape<A, B>();
  if constexpr (!same) return log_predictions;
  else return kl_divergence(log_predictions, targets) + sum<-1>(exp(log_predictions) - targets);
}
/// The mean of the divergences of predictions, given as logarithms, and of targets from the mean of both: from 0, where
/// they are equal, to log 2.
///
/// shape   [b, c], [b, c] -> [b]
/// errors  E021 the shapes differ
/// source  Lin, Divergence Measures Based on the Shannon Entropy, 1991; SciPy jensenshannon, squared
template <any_array A, any_array B> constexpr auto js_divergence(A const& log_predictions, B const& targets) {
  constexpr bool same = nn::require_one_shape<A, B>();
  if constexpr (!same) return log_predictions;
  else {
    auto predictions = exp(log_predictions);
    auto both = (predictions + targets) / 2;
    auto log_both = log(where(equal(both, 0), 1, both));
    auto of_targets = targets * (log(where(equal(targets, 0), 1, targets)) - log_both);
    auto of_predictions = predictions * (where(equal(predictions, 0), 0, log_predictions) - log_both);
    return sum<-1>(of_targets + of_predictions) / 2;
  }
}

/// Cross entropy of rows of probabilities, plus epsilon times what the logits give to other classes.
///
/// shape   [b, c], [b, c] -> [b]
/// errors  E020 targets that are not floating, E021 the shapes differ
/// source  Leng et al., PolyLoss, arXiv 2204.12511; optax poly_loss_cross_entropy
template <any_array L, any_array Y, numpy::scalar_operand E = double>
constexpr auto poly_loss_cross_entropy(L const& logits, Y const& labels, E const& epsilon = 2.) {
  constexpr bool same = nn::require_one_shape<L, Y>();
  if constexpr (!same) return logits;
  else return softmax_cross_entropy(logits, labels) + epsilon * sum<-1>(labels * (1 - softmax(logits)));
}

/// sigmoid_binary_cross_entropy, each element times the gamma-th power of the probability that its logit gives to what
/// it is not.
///
/// errors  E021 the shapes differ
/// source  Lin et al., Focal Loss for Dense Object Detection, arXiv 1708.02002; optax sigmoid_focal_loss
template <any_array L, any_array Y, numpy::scalar_operand G = double>
constexpr auto sigmoid_focal_loss(L const& logits, Y const& labels, G const& gamma = 2.) {
  constexpr bool same = nn::require_one_shape<L, Y>();
  if constexpr (!same) return logits;
  else {
    auto log_p = log_sigmoid(logits), log_q = log_sigmoid(-logits);
    auto most = stop_gradient(maximum(log_p, log_q));
    auto other = log((1 - labels) * exp(log_p - most) + labels * exp(log_q - most)) + most;
    return sigmoid_binary_cross_entropy(logits, labels) * exp(gamma * other);
  }
}
/// The same, times alpha where the label is 1, and 1 - alpha where it is 0.
template <any_array L, any_array Y, numpy::scalar_operand G, numpy::scalar_operand W>
constexpr auto sigmoid_focal_loss(L const& logits, Y const& labels, G const& gamma, W const& alpha) {
  constexpr bool same = nn::require_one_shape<L, Y>();
  if constexpr (!same) return logits;
  else return (alpha * labels + (1 - alpha) * (1 - labels)) * sigmoid_focal_loss(logits, labels, gamma);
}

struct dice_loss_options {
  double smooth = 1, alpha = 0.5, beta = 0.5;
  bool apply_softmax = true, ignore_background = false;
};
/// 1 minus how much of predicted and true regions is common, in the mean over the classes of the last axis. The first
/// axis is the batch; logits, or with apply_softmax = false probabilities. Of one class it is a sigmoid.
///
/// shape   [b, ..., c], [b, ..., c] -> [b]
/// errors  E021 the shapes differ
/// source  Milletari, Navab and Ahmadi, V-Net, arXiv 1606.04797; optax dice_loss
template <any_array A, any_array B> requires(A::rank > 1)
constexpr auto dice_loss(A const& predictions, B const& targets, dice_loss_options options = {}) {
  constexpr bool same = nn::require_one_shape<A, B>();
  if constexpr (!same) return predictions;
  else {
    constexpr bool one_class = A::type.e[A::rank - 1] == 1;
    auto over_places = []<int... Nth>(std::integer_sequence<int, Nth...>, auto const& x) {
      if constexpr (sizeof...(Nth) == 0) return x;
      else return sum<(Nth + 1)...>(x);
    };
    std::make_integer_sequence<int, A::rank - 2> places{};
    auto p = predictions;
    if constexpr (one_class) {
      if (options.apply_softmax) p = sigmoid(predictions);
    } else {
      if (options.apply_softmax) p = softmax(predictions);
    }
    auto common = over_places(places, p * targets);
    auto wrong = options.alpha * (over_places(places, p) - common);
    auto missed = options.beta * (over_places(places, targets) - common);
    auto loss = 1 - (common + options.smooth) / (common + wrong + missed + options.smooth);
    if constexpr (!one_class)
      if (options.ignore_background) return mean<-1>(slice<every, range{1, rest}>(loss));
    return mean<-1>(loss);
  }
}

}  // namespace etna
