// SPDX-License-Identifier: BSD-3-Clause
// The network of the trainer and what is computed with it: five functions that the compiler traces,
// differentiates, batches and fuses. Everything else here is files and text.
// Read next: rule.hpp.
#pragma once
#include <cmath>
#include <cstdint>
#include <random>
#include <tuple>
#include <utility>

#include <etna/data/shuffle.hpp>
#include <etna/etna.hpp>
#include <etna/optim/momentum.hpp>

#include "parameters.hpp"

namespace example {

constexpr auto predict = [](mlp const& p, array<float, 784> x) { return dot(relu(dot(x, p.w1) + p.b1), p.w2) + p.b2; };

constexpr auto loss = [](mlp const& p, array<float, 32, 784> x, array<int, 32> y) {
  return mean(softmax_cross_entropy(vmap<none, 0>(predict)(p, x), y));
};

constexpr auto sgd_step = jit([](mlp p, array<float, 32, 784> x, array<int, 32> y, array<float> lr) {
  auto [value, g] = value_and_grad(loss)(p, x, y);
  auto rule = optim::sgd(lr);
  return std::pair{optim::apply_updates(p, rule.update(g, rule.init(p)).first), value};
});

constexpr auto adam_step =
    jit([](mlp p, moments_of_adam s, array<float, 32, 784> x, array<int, 32> y, array<float> lr) {
      auto [value, g] = value_and_grad(loss)(p, x, y);
      auto [updates, next] = optim::adam(lr).update(g, s);
      return std::tuple{optim::apply_updates(p, updates), next, value};
    });

// How many of 500 images are recognised; a label of -1 never is, and fills up the last 500.
constexpr auto correct = jit([](mlp const& p, array<float, 500, 784> x, array<int, 500> y) {
  return sum(astype<int>(argmax<1>(vmap<none, 0>(predict)(p, x)) == y));
});

/// Weights uniform in +-sqrt(6 / inputs), biases 0: the same numbers with every compiler.
///
/// source  He, Zhang, Ren and Sun, Delving Deep into Rectifiers, 2015
inline mlp initial_parameters(std::uint64_t seed) {
  std::mt19937_64 random(data::mix(seed, 0x1417));
  auto uniform = [&](double inputs) {
    return [&random, bound = std::sqrt(6 / inputs)](auto* out, std::int64_t n) {
      for (std::int64_t i = 0; i < n; ++i) out[i] = float(bound * (double(random() >> 11) * 0x1p-52 - 1));
    };
  };
  mlp p;
  p.w1 = decltype(p.w1)::build([&](float* out) { uniform(784)(out, p.w1.size()); });
  p.w2 = decltype(p.w2)::build([&](float* out) { uniform(512)(out, p.w2.size()); });
  return p;
}

}  // namespace example
