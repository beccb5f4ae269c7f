// SPDX-License-Identifier: BSD-3-Clause
// Losses, each per example: reduce with mean. They do not broadcast their arguments silently. Read next:
// loss_regression.hpp.
#pragma once
#include <etna/numpy/elementary.hpp>
#include <etna/numpy/take.hpp>
#include <etna/numpy/linalg.hpp>

namespace etna {
namespace nn {
template <class L, class Y> constexpr bool labels_fit() {
  if (Y::rank != L::rank - 1) return false;
  for (int i = 0; i < Y::rank; ++i)
    if (Y::type.e[i] != L::type.e[i]) return false;
  return true;
}
}  // namespace nn

/// log(sum(exp(x))) over the given axes, all where none is given, without overflow; -inf where all of x are.
///
/// diff    softmax(x)
/// source  jax.nn.logsumexp
template <int... Axis, any_array A, numpy::keeps_option K = numpy::drop_axes>
constexpr auto logsumexp(A const& x, K = {}) {
  auto most = stop_gradient(max<Axis...>(x, keepdims));
  auto top = where(isfinite(most), most, 0);  // of infinities there is no difference
  auto r = log(sum<Axis...>(exp(x - top), keepdims)) + top;
  if constexpr (numpy::keeps<K>) return r;
  else return squeeze<Axis...>(r);
}
/// x minus its logsumexp: logarithms of probabilities along the given axes; without any, the last.
template <int... Axis, any_array A> constexpr auto log_softmax(A const& x) {
  if constexpr (sizeof...(Axis) == 0) return log_softmax<-1>(x);
  else return x - logsumexp<Axis...>(x, keepdims);
}
/// Probabilities along the given axes: exp(x) over its sum. Without any, the last axis.
template <int... Axis, any_array A> constexpr auto softmax(A const& x) {
  if constexpr (sizeof...(Axis) == 0) return softmax<-1>(x);
  else if constexpr (numpy::axes_of<Axis...>(A::rank).wrong != 0) return max<Axis...>(x);
  else {
    auto e = exp(x - stop_gradient(max<Axis...>(x, keepdims)));
    return e / sum<Axis...>(e, keepdims);
  }
}

namespace nn {
template <class A, class B> constexpr bool require_one_shape() {
  constexpr bool same = A::type.same_shape(B::type);
  if constexpr (!same)
    message::fail<
        message::E021_loss_would_broadcast<typename numpy::text_of<A>::type, typename numpy::text_of<B>::type>>();
  return same;
}
}  // namespace nn

namespace nn {
/// Is there an integer of each example? If not, that is E019 or E020.
template <class L, class Y> constexpr bool require_labels() {
  constexpr bool integers = is_integer(Y::type.d), fit = labels_fit<L, Y>();
  if constexpr (!integers) message::fail<message::E020_labels_not_integer<L, Y>>();
  else if constexpr (!fit) {
    if constexpr (L::rank == Y::rank && Y::type.e[Y::rank > 0 ? Y::rank - 1 : 0] != 1)
      message::fail<
          message::E019_logits_without_batch<typename numpy::text_of<L>::type, typename numpy::text_of<Y>::type>>();
    else message::fail<message::E019_labels_rank<typename numpy::text_of<L>::type, typename numpy::text_of<Y>::type>>();
  }
  return integers && fit;
}
template <class A> constexpr auto floating(A const& x) { return astype<element_of<to_floating(A::type.d)>>(x); }
/// Of each example the element that its label names.
template <class L, class Y> constexpr auto of_label(L const& x, Y const& labels) {
  return squeeze<-1>(take_along_axis<-1>(x, expand_dims<-1>(labels)));
}
}  // namespace nn

/// Cross entropy of labels under softmax(logits), one number an example: of integers, or of rows of probabilities.
///
/// shape   logits [b, c], labels [b] or [b, c] -> [b]
/// diff    softmax(logits) minus the label's one-hot vector or row, where that sums to 1
/// errors  E019 labels of another shape, E020 labels that are neither, E021 rows of another shape
/// source  optax softmax_cross_entropy_with_integer_labels, softmax_cross_entropy
template <any_array L, any_array Y> constexpr auto softmax_cross_entropy(L const& logits, Y const& labels) {
  if constexpr (is_floating(Y::type.d) && Y::rank == L::rank) {
    constexpr bool same = nn::require_one_shape<L, Y>();
    if constexpr (!same) return logits;
    else return -sum<-1>(labels * log_softmax(nn::floating(logits)));
  } else {
    constexpr bool fit = nn::require_labels<L, Y>();
    if constexpr (!fit) return logits;
    else {
      auto x = nn::floating(logits);
      return logsumexp<-1>(x) - nn::of_label(x, labels);
    }
  }
}

/// (prediction - target)^2, element by element.
///
/// errors  E021 the shapes differ ([b, 1] against [b, c] is no loss)
template <any_array A, any_array B> constexpr auto squared_error(A const& prediction, B const& target) {
  constexpr bool same = nn::require_one_shape<A, B>();
  if constexpr (!same) return prediction;
  else return square(prediction - target);
}
/// Cross entropy of 0/1 targets under sigmoid(logits), element by element, without overflow.
///
/// diff    sigmoid(logits) - targets
/// errors  E021 the shapes differ
/// source  optax sigmoid_binary_cross_entropy
template <any_array A, any_array B> constexpr auto sigmoid_binary_cross_entropy(A const& logits, B const& targets) {
  constexpr bool same = nn::require_one_shape<A, B>();
  if constexpr (!same) return logits;
  // Not by abs(logits): its derivative at 0 would show
  else return targets * logaddexp(-logits, 0) + (1 - targets) * logaddexp(logits, 0);
}

// What is not taken behind the array.
ETNA_REFUSE_REDUCTION(logsumexp,
                      "it takes keepdims alone; with factors b: log(sum(b * exp(x - m))) + m for m = max(x)");
ETNA_REFUSE(softmax, message::takes_nothing, "softmax<0>(x)", "of some elements: softmax(where(mask, x, least))");
ETNA_REFUSE(log_softmax, message::takes_nothing, "log_softmax<0>(x)",
            "of some elements: log_softmax(where(mask, x, least))");

}  // namespace etna
