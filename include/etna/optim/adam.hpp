// SPDX-License-Identifier: BSD-3-Clause
// Adam: a step against the mean gradient, divided by the root of its mean square, both means
// exponential and corrected for their start at zero.
// Read next: <etna/data/checkpoint.hpp>, which saves its state.
#pragma once
#include <utility>

#include "update.hpp"

namespace etna::optim {

/// What Adam keeps: the two means, shaped like the parameters, and the number of steps taken.
template <class P> struct adam_state {
  P mean, square;
  array<int> count;
};

/// Adam: adam{0.001f}, adam{rate}. Its rate and the three after it are numbers or scalar arrays.
///
/// source  Kingma and Ba, Adam: A Method for Stochastic Optimization, algorithm 1; Optax adam
/// example test/unit/optim/update.cpp  [adam agrees with the formula]
template <numpy::scalar_operand Rate, numpy::scalar_operand Decay = double, numpy::scalar_operand SquareDecay = double,
          numpy::scalar_operand Epsilon = double>
struct adam {
  Rate rate;
  Decay decay = 0.9;
  SquareDecay square_decay = 0.999;
  Epsilon epsilon = 1e-8;

  /// The state before the first step.
  template <class P> static constexpr adam_state<P> init(P const& parameters) {
    return {zeros_like(parameters), zeros_like(parameters), array<int>(0)};
  }

  /// {updates, next state}.
  ///
  /// errors  E022 the gradient and the state differ in structure
  template <class P, class G> constexpr auto update(G const& gradient, adam_state<P> const& state) const {
    auto mean =
        tree::map([this](auto const& m, auto const& g) { return decay * m + (1 - decay) * g; }, state.mean, gradient);
    auto square =
        tree::map([this](auto const& v, auto const& g) { return square_decay * v + (1 - square_decay) * (g * g); },
                  state.square, gradient);
    auto count = state.count + 1;
    auto steps = astype<float>(count);
    // The corrections are numbers: an element has one quotient and one root.
    auto corrected_rate = rate / (1 - pow(decay, steps));
    auto square_correction = 1 / (1 - pow(square_decay, steps));
    auto updates = tree::map(
        [&](auto const& m, auto const& v) { return -(corrected_rate * m) / (sqrt(square_correction * v) + epsilon); },
        mean, square);
    return std::pair{updates, adam_state<P>{mean, square, count}};
  }
};
template <class Rate> adam(Rate) -> adam<Rate>;
template <class Rate, class Decay> adam(Rate, Decay) -> adam<Rate, Decay>;
template <class Rate, class Decay, class SquareDecay> adam(Rate, Decay, SquareDecay) -> adam<Rate, Decay, SquareDecay>;
template <class Rate, class Decay, class SquareDecay, class Epsilon> adam(Rate, Decay, SquareDecay, Epsilon)
    -> adam<Rate, Decay, SquareDecay, Epsilon>;

}  // namespace etna::optim
