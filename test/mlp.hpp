// SPDX-License-Identifier: BSD-3-Clause
// The network that the tests train: [784, 512, 10], a batch of 32, SGD by tree::map; its weights and batches by
// formula.
#pragma once
#include <etna/etna.hpp>

#include "data/sgd100.inc.hpp"

namespace test {

using namespace etna;
using sgd = reference::sgd;

template <class T> struct mlp {
  array<T, 784, 512> w1;
  array<T, 512> b1;
  array<T, 512, 10> w2;
  array<T, 10> b2;
};

template <class T>
constexpr auto predict = [](mlp<T> const& p, array<T, 784> x) { return dot(relu(dot(x, p.w1) + p.b1), p.w2) + p.b2; };
template <class T> constexpr auto loss = [](mlp<T> const& p, array<T, 32, 784> x, array<int, 32> y) {
  return mean(softmax_cross_entropy(vmap<none, 0>(predict<T>)(p, x), y));
};
template <class T> constexpr auto step = jit([](mlp<T> p, array<T, 32, 784> x, array<int, 32> y) {
  auto [value, g] = value_and_grad(loss<T>)(p, x, y);
  return std::pair{tree::map([](auto w, auto dw) { return w - T(sgd::rate) * dw; }, p, g), value};
});

// What the compiler makes of step<float>. A pass that gets better changes these, here only.
inline constexpr int kernels_of_step = 10, unique_kernels_of_step = 5;
inline constexpr extent arena_of_step = 196608;

template <class A, class F> A filled(F f) {
  return A::build([&](auto* o) {
    for (extent i = 0; i < A::type.size(); ++i) o[i] = std::remove_cvref_t<decltype(*o)>(f(std::uint64_t(i)));
  });
}
template <class T> mlp<T> start() {
  return {filled<array<T, 784, 512>>([](auto i) { return sgd::weight(sgd::w1, i); }),
          filled<array<T, 512>>([](auto i) { return sgd::weight(sgd::b1, i); }),
          filled<array<T, 512, 10>>([](auto i) { return sgd::weight(sgd::w2, i); }),
          filled<array<T, 10>>([](auto i) { return sgd::weight(sgd::b2, i); })};
}
template <class T> auto images(int s) {
  return filled<array<T, 32, 784>>([&](auto i) { return sgd::image(s, int(i / 784), int(i % 784)); });
}
inline auto labels(int s) {
  return filled<array<int, 32>>([&](auto i) { return sgd::label(s, int(i)); });
}

}  // namespace test
