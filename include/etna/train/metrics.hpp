// SPDX-License-Identifier: BSD-3-Clause
// How good predictions are, as pure functions, in jit or outside; and means that run. Read next: history.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <limits>

#include <etna/numpy/create.hpp>
#include <etna/numpy/linalg.hpp>
#include <etna/numpy/manipulate.hpp>
#include <etna/numpy/math.hpp>
#include <etna/numpy/position.hpp>
#include <etna/numpy/reduce.hpp>

namespace etna::train {

namespace detail {

template <class X> concept floating_scores = any_array<X> && is_floating(X::type.d) && X::rank >= 1;
template <class X> concept integer_labels = any_array<X> && is_integer(X::type.d);

/// Is it class c's place, for each class of each example? [..., classes]
template <extent Classes, integer_labels Y> constexpr auto is_class(Y const& labels) {
  return expand_dims<-1>(astype<int>(labels)) == arange<int, Classes>();
}
template <class X> inline constexpr extent classes_of = X::extents[std::size_t(X::rank - 1)];

}  // namespace detail

/// The share of examples whose label has the largest logit; of equal ones the first counts. A label of -1 is never
/// right.
///
/// shape   logits [..., classes], labels [...] -> []
/// dtype   float
/// example test/unit/train/metrics.cpp  [by hand, in jit and outside]
template <detail::floating_scores X, detail::integer_labels Y> requires(X::rank == Y::rank + 1)
constexpr auto accuracy(X const& logits, Y const& labels) {
  return etna::mean(astype<float>(argmax<-1>(logits) == astype<int>(labels)));
}

/// The share of examples whose label is among the K classes of the largest logits; of equal ones the first ones are.
///
/// shape   logits [..., classes], labels [...] -> []
/// dtype   float
/// source  Keras sparse_top_k_categorical_accuracy
template <extent K, detail::floating_scores X, detail::integer_labels Y> requires(K > 0 && X::rank == Y::rank + 1)
constexpr auto top_k_accuracy(X const& logits, Y const& labels) {
  constexpr extent classes = detail::classes_of<X>;
  auto own = detail::is_class<classes>(labels);
  auto of_label = expand_dims<-1>(etna::sum<-1>(where(own, logits, zeros_like(logits))));
  auto before = arange<int, classes>() < expand_dims<-1>(astype<int>(labels));
  // a NaN is above all: that of the label itself, too
  auto above = !(logits <= of_label) || ((logits == of_label) && before);
  auto good = (etna::sum<-1>(astype<int>(above)) < K) && any<-1>(own);
  return etna::mean(astype<float>(good));
}

/// How often a label (the row) was taken for a class (the column). Labels and predictions that are no class count
/// nowhere.
///
/// shape   predictions [...] of integers, or logits [..., classes]; labels [...] -> [Classes, Classes]
/// dtype   int
/// source  scikit-learn confusion_matrix
template <extent Classes, any_array X, detail::integer_labels Y>
requires(Classes > 0 &&
         ((detail::integer_labels<X> && X::rank == Y::rank) || (detail::floating_scores<X> && X::rank == Y::rank + 1)))
constexpr auto confusion_matrix(X const& predictions, Y const& labels) {
  if constexpr (detail::floating_scores<X>) return confusion_matrix<Classes>(argmax<-1>(predictions), labels);
  else {
    auto taken = astype<int>(detail::is_class<Classes>(ravel(predictions)));
    auto told = astype<int>(detail::is_class<Classes>(ravel(labels)));
    return matmul(transpose(told), taken);
  }
}

namespace detail {

template <class X> constexpr array<double> as_double(X const& x) {
  if constexpr (any_array<X>) return astype<double>(x);
  else return array<double>(double(x));
}

}  // namespace detail

/// A mean of what was added so far: a value, and a tree.
///
///     auto m = train::mean::empty();
///     m = m.add(loss);              // all elements of an array, or a number
///     m = m.merge(of_another_part);
///     m.value()                     // 0 before anything was added
///
/// source  clu metrics.Average
struct mean {
  array<double> total, count;

  /// Of nothing yet.
  static constexpr mean empty() { return {array<double>(0), array<double>(0)}; }
  /// With all elements of x, or with a number.
  template <numpy::operand X> constexpr mean add(X const& x) const {
    if constexpr (any_array<X>) {
      auto each = astype<double>(x);
      return {total + etna::sum(each), count + etna::sum(ones_like(each))};
    } else return add(detail::as_double(x));
  }
  /// With a mean of so many examples.
  template <numpy::scalar_operand X, numpy::scalar_operand N> constexpr mean add(X const& x, N const& examples) const {
    auto n = detail::as_double(examples);
    return {total + n * detail::as_double(x), count + n};
  }
  /// With what another has.
  constexpr mean merge(mean const& other) const { return {total + other.total, count + other.count}; }
  constexpr array<double> value() const { return total / where(count > 0, count, ones_like(count)); }
};

}  // namespace etna::train

#include <etna/set_back.hpp>
