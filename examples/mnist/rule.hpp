// SPDX-License-Identifier: BSD-3-Clause
// The two optimizers under one form: a state, a first state, and a step that changes it in place. Declared only: what
// loops and saves is compiled without the kernels, which are in rule.cpp.
// Read next: session.hpp.
#pragma once
#include <cstdint>
#include <string>

#include "parameters.hpp"

namespace example {

using images = array<float, 32, 784>;
using labels = array<int, 32>;

struct sgd_rule {
  static constexpr char const* name = "sgd";
  static constexpr float usual_rate = 0.1f;
  static double flops();
  using state = sgd_state;
  static state start(std::uint64_t seed);
  static float step(state& s, images const& x, labels const& y, array<float> const& lr);
  static std::string plan();
};

struct adam_rule {
  static constexpr char const* name = "adam";
  static constexpr float usual_rate = 1e-3f;
  static double flops();
  using state = adam_state;
  static state start(std::uint64_t seed);
  static float step(state& s, images const& x, labels const& y, array<float> const& lr);
  static std::string plan();
};

/// How many of 500 images are recognised; a label of -1 never is, and fills up the last 500.
int recognised(mlp const& p, array<float, 500, 784> const& x, array<int, 500> const& y);

}  // namespace example
