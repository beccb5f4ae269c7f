// SPDX-License-Identifier: BSD-3-Clause
// The parameters of the network, and what each optimizer keeps beside them. Apart from the mathematics, so that
// files which only save and load them compile without Kokkos.
// Read next: model.hpp.
#pragma once
#include <etna/array/tree.hpp>
#include <etna/optim/adam.hpp>

namespace example {

using namespace etna;

struct mlp {
  array<float, 784, 512> w1;
  array<float, 512> b1;
  array<float, 512, 10> w2;
  array<float, 10> b2;
};

// Whatever its rate is.
using moments_of_adam = decltype(optim::adam(0.f).init(mlp{}));

struct sgd_state {
  mlp parameters;
};
struct adam_state {
  mlp parameters;
  moments_of_adam moments;
};

}  // namespace example
