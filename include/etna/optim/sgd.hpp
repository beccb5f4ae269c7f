// SPDX-License-Identifier: BSD-3-Clause
// Stochastic gradient descent: a step against the gradient, without state of its own.
// Read next: adam.hpp.
#pragma once
#include "update.hpp"

namespace etna::optim {

/// SGD with a rate that is a number or a scalar array: sgd{0.01f}, sgd{rate}.
///
/// source  Robbins and Monro, A Stochastic Approximation Method, 1951; Optax sgd
/// example test/unit/optim/update.cpp  [sgd subtracts the scaled gradient]
template <numpy::scalar_operand Rate> struct sgd {
  Rate rate;

  /// -rate * gradient, leaf by leaf.
  template <class G> constexpr auto update(G const& gradient) const {
    return tree::map([this](auto g) { return -(rate * g); }, gradient);
  }
};
template <class Rate> sgd(Rate) -> sgd<Rate>;

}  // namespace etna::optim
