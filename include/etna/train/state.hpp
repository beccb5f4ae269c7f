// SPDX-License-Identifier: BSD-3-Clause
// The train room: what stands around a training step, each part of which a program may leave away. This file adds what
// training changes: parameters, the optimizer's state and the number of steps, as one tree. Read next: metrics.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <etna/optim/update.hpp>

namespace etna::train {

/// Parameters, the state of their optimizer, and the number of steps taken: a tree like any other, which jit updates in
/// place where it is moved.
///
///     constexpr auto optimizer = optim::adam(0.001);
///     constexpr auto step = jit([](train::state<optimizer, net> s, array<float, 32, 784> x, array<int, 32> y) {
///       auto [value, gradient] = value_and_grad(loss)(s.params, x, y);
///       return std::pair{s.apply_gradients(gradient), value};
///     });
///
/// Rule    the optimizer, a constexpr variable outside of functions
/// source  Flax TrainState
/// example test/unit/train/state.cpp  [in jit, outside of it, and as Optax's parts say]
template <auto const& Rule, class P> struct state {
  array<int> step;
  P params;
  optim::state_of<Rule, P> opt_state;

  /// The state behind one more step.
  ///
  /// errors  E022 the gradient is no tree like the parameters
  template <tree::any_tree G> constexpr state apply_gradients(G const& gradient) const {
    auto [updates, next] = Rule.update(gradient, opt_state, params);
    return {step + 1, optim::apply_updates(params, updates), next};
  }
};

/// The state before the first step.
///
///     auto s = train::create<optimizer>(nn::init<net>(random::key(0)));
///
/// source  Flax TrainState.create
template <auto const& Rule, tree::any_tree P> requires optim::transformation<std::remove_cvref_t<decltype(Rule)>>
constexpr state<Rule, P> create(P const& parameters) {
  return {array<int>(0), parameters, Rule.init(parameters)};
}

}  // namespace etna::train

#include <etna/set_back.hpp>
