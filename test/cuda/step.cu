// SPDX-License-Identifier: BSD-3-Clause
// The program of the README and a few kernels, compiled by nvcc to an object; nothing is linked or run.
#include <etna/etna.hpp>

using namespace etna;

struct mlp {
  array<float, 784, 512> w1;
  array<float, 512> b1;
  array<float, 512, 10> w2;
  array<float, 10> b2;
};
constexpr auto predict = [](mlp const& p, array<float, 784> x) { return dot(relu(dot(x, p.w1) + p.b1), p.w2) + p.b2; };
constexpr auto loss = [](mlp const& p, array<float, 32, 784> x, array<int, 32> y) {
  return mean(softmax_cross_entropy(vmap<none, 0>(predict)(p, x), y));
};
constexpr auto step = jit([](mlp p, array<float, 32, 784> x, array<int, 32> y) {
  auto [value, g] = value_and_grad(loss)(p, x, y);
  return std::pair{tree::map([](auto w, auto dw) { return w - 0.01f * dw; }, p, g), value};
});
constexpr auto chain = jit([](array<float, 1024> a) { return exp(-a * a) * sin(a) + tanh(a / 2); });
constexpr auto rows = jit([](array<float, 16, 32> a) { return sum<1>(a) / max<1>(a); });

constexpr auto cube = [](auto x) { return x * x * x; };
static_assert(grad(cube)(2.0) == 12.0);

std::pair<mlp, array<float>> one_step(mlp const& p, array<float, 32, 784> const& x, array<int, 32> const& y) { return step(p, x, y); }
array<float, 1024> one_chain(array<float, 1024> const& a) { return chain(a); }
auto one_rows(array<float, 16, 32> const& a) { return rows(a); }
