// SPDX-License-Identifier: BSD-3-Clause
// A small training run for the tests of the room: a network, a step, and batches in an order of their own, the same
// from every place on.
#pragma once
#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

#include <etna/data/shuffle.hpp>
#include <etna/etna.hpp>
#include <etna/train/state.hpp>

namespace test_train {

using namespace etna;

struct net {
  array<float, 6, 12> w1;
  array<float, 12> b1;
  array<float, 12> w2;
};
inline constexpr auto optimizer = optim::adam(0.02);
using state = train::state<optimizer, net>;
using inputs = array<float, 8, 6>;
using targets = array<float, 8>;
inline constexpr auto loss = [](net const& p, inputs const& x, targets const& y) {
  return mean(square(dot(tanh(dot(x, p.w1) + p.b1), p.w2) - y));
};
inline constexpr auto step = jit([](state s, inputs x, targets y) {
  auto [value, gradient] = value_and_grad(loss)(s.params, x, y);
  return std::pair{s.apply_gradients(gradient), value};
});

/// Batches of 8 of 8 * n examples, shuffled anew in each epoch.
struct batches {
  std::size_t n = 20;
  std::size_t size() const { return n; }
  std::pair<inputs, targets> batch(std::vector<std::uint32_t> const& order, std::size_t k) const {
    auto x = inputs::build([&](float* out) {
      for (std::size_t i = 0; i < 48; ++i) out[i] = float(data::mix(order[8 * k + i / 6], i % 6) >> 40) / 0x1p24f;
    });
    auto y = targets::build([&](float* out) {
      for (std::size_t i = 0; i < 8; ++i) out[i] = x(int(i), 0) * x(int(i), 1);
    });
    return {x, y};
  }
  auto epoch(std::uint64_t e, std::size_t first = 0) const {
    return std::views::iota(first, n) | std::views::transform([this, order = data::shuffled(8 * n, 7, e)](
                                                                  std::size_t k) { return batch(order, k); });
  }
};

inline net first_parameters() {
  return {array<float, 6, 12>::build([](float* out) {
            for (int i = 0; i < 72; ++i) out[i] = float(i * 37 % 23) / 23 - 0.5f;
          }),
          {},
          array<float, 12>::build([](float* out) {
            for (int i = 0; i < 12; ++i) out[i] = float(i % 3) - 1;
          })};
}

/// All numbers of a tree.
template <class T> std::vector<float> numbers(T const& t) {
  std::vector<float> all;
  tree::for_each(
      [&](auto const& x) {
        for (auto const& v : x) all.push_back(float(v));
      },
      t);
  return all;
}

}  // namespace test_train
