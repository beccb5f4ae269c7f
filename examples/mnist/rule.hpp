// SPDX-License-Identifier: BSD-3-Clause
// The two optimizers under one form: a state, a first state, and a step that changes it in place.
// Read next: session.hpp.
#pragma once
#include <string>

#include "model.hpp"

namespace example {

using images = array<float, 32, 784>;
using labels = array<int, 32>;

struct sgd_rule {
  static constexpr char const* name = "sgd";
  static constexpr float usual_rate = 0.1f;
  static constexpr extent flops = plan_type<decltype(sgd_step)>::flops;
  using state = sgd_state;
  static state start(mlp const& p) { return {p}; }
  static float step(state& s, images const& x, labels const& y, array<float> const& lr) {
    auto [p, value] = sgd_step(std::move(s.parameters), x, y, lr);
    s.parameters = std::move(p);
    return value.item();
  }
  static std::string plan() { return show_plan(sgd_step, mlp{}, images{}, labels{}, array<float>(usual_rate)); }
};

struct adam_rule {
  static constexpr char const* name = "adam";
  static constexpr float usual_rate = 1e-3f;
  static constexpr extent flops = plan_type<decltype(adam_step)>::flops;
  using state = adam_state;
  static state start(mlp const& p) { return {p, optim::adam(usual_rate).init(p)}; }
  static float step(state& s, images const& x, labels const& y, array<float> const& lr) {
    auto [p, m, value] = adam_step(std::move(s.parameters), std::move(s.moments), x, y, lr);
    s.parameters = std::move(p);
    s.moments = std::move(m);
    return value.item();
  }
  static std::string plan() {
    return show_plan(adam_step, mlp{}, moments_of_adam{}, images{}, labels{}, array<float>(usual_rate));
  }
};

}  // namespace example
