// SPDX-License-Identifier: BSD-3-Clause
// A gradient for each example: vmap of grad. Page: docs/examples/04_per_example_gradients.md
#include <cmath>
#include <cstdio>

#include <etna/etna.hpp>

using etna::array;
using etna::none;

struct model {
  array<float, 3> w;
  array<float> b;
};

// Written for one example: no batch axis anywhere.
constexpr auto loss = [](model const& m, array<float, 3> x, array<float> y) {
  return etna::square(tanh(etna::dot(x, m.w) + m.b) - y);
};

// The model is left whole (none); examples and targets are mapped over their first axis.
constexpr auto per_example = etna::jit(
    [](model m, array<float, 5, 3> x, array<float, 5> y) { return etna::vmap<none, 0, 0>(etna::grad(loss))(m, x, y); });

constexpr auto of_mean = etna::jit([](model m, array<float, 5, 3> x, array<float, 5> y) {
  auto batch_loss = [](model const& m, array<float, 5, 3> x, array<float, 5> y) {
    return etna::mean(etna::vmap<none, 0, 0>(loss)(m, x, y));
  };
  return etna::grad(batch_loss)(m, x, y);
});

int main() {
  model m{array<float, 3>{0.1f, -0.2f, 0.3f}, 0.05f};
  array<float, 5, 3> x{{1, 0, 2}, {0, 1, 1}, {-1, 2, 0}, {3, -1, 1}, {0.5f, 0.5f, 0.5f}};
  array<float, 5> y{1, -1, 0.5f, 0, 1};

  // One array for each field of the model, with the five examples in front. A changed shape no longer
  // fits the struct, so the gradients are reached by the fields they belong to.
  auto g = per_example(m, x, y);
  auto const& dw = g.get<&model::w>();
  for (int i = 0; i < 5; ++i) {
    float norm = 0;
    for (int j = 0; j < 3; ++j) norm += dw(i, j) * dw(i, j);
    std::printf("example %d: |dw| = %.4f\n", i, std::sqrt(norm));
  }

  // Their mean is the gradient of the mean loss.
  auto whole = of_mean(m, x, y);
  bool ok = true;
  for (int j = 0; j < 3; ++j) {
    float sum = 0;
    for (int i = 0; i < 5; ++i) sum += dw(i, j);
    ok = ok && std::fabs(sum / 5 - whole.w(j)) < 1e-6f;
  }
  return ok ? 0 : 1;
}
