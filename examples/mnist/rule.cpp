// SPDX-License-Identifier: BSD-3-Clause
// All kernels of the trainer.
#include "rule.hpp"

#include "model.hpp"

namespace example {

double sgd_rule::flops() { return double(plan_type<decltype(sgd_step)>::flops); }
sgd_state sgd_rule::start(std::uint64_t seed) { return {initial_parameters(seed)}; }
float sgd_rule::step(state& s, images const& x, labels const& y, array<float> const& lr) {
  auto [p, value] = sgd_step(std::move(s.parameters), x, y, lr);
  s.parameters = std::move(p);
  return value.item();
}
std::string sgd_rule::plan() { return show_plan(sgd_step, mlp{}, images{}, labels{}, array<float>(usual_rate)); }

double adam_rule::flops() { return double(plan_type<decltype(adam_step)>::flops); }
adam_state adam_rule::start(std::uint64_t seed) {
  auto const p = initial_parameters(seed);
  return {p, optim::adam(usual_rate).init(p)};
}
float adam_rule::step(state& s, images const& x, labels const& y, array<float> const& lr) {
  auto [p, m, value] = adam_step(std::move(s.parameters), std::move(s.moments), x, y, lr);
  s.parameters = std::move(p);
  s.moments = std::move(m);
  return value.item();
}
std::string adam_rule::plan() {
  return show_plan(adam_step, mlp{}, moments_of_adam{}, images{}, labels{}, array<float>(usual_rate));
}

int recognised(mlp const& p, array<float, 500, 784> const& x, array<int, 500> const& y) {
  return correct(p, x, y).item();
}

}  // namespace example
