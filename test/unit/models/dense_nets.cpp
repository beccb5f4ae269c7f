// SPDX-License-Identifier: BSD-3-Clause
// Dense layers as Flax has them: results, and losses of three steps.
#include <doctest/doctest.h>

#include <etna/etna.hpp>

#include "../../data/nets.inc.hpp"
#include "near.hpp"

using namespace etna;

namespace {

// nn.Dense(128), an activation, nn.Dense(10).
struct dense_net {
  nn::dense<double, 16, 128> first;
  nn::dense<double, 128, 10> second;
};
struct relu_form {
  constexpr auto operator()(auto const& x) const { return relu(x); }
};
struct gelu_form {
  constexpr auto operator()(auto const& x) const { return gelu(x); }
};
using rows = array<double, 4, 16>;
using labels = array<int, 4>;
constexpr auto logits = [](dense_net const& p, auto const& x, auto const& form) { return p.second(form(p.first(x))); };
constexpr auto all_logits = jit([](dense_net const& p, rows const& x) {
  return std::tuple{logits(p, x, relu_form{}), logits(p, x, gelu_form{})};
});
constexpr auto dense_step = jit([](dense_net const& p, rows const& x, labels const& y) {
  auto loss = [](dense_net const& p, auto const& x, auto const& y) {
    return mean(softmax_cross_entropy(logits(p, x, relu_form{}), y));
  };
  auto [value, gradient] = value_and_grad(loss)(p, x, y);
  return std::pair{tree::map([](auto const& a, auto const& g) { return a - 0.05 * g; }, p, gradient), value};
});
dense_net filled() {
  int seed = 0;
  return tree::map([&](auto const& x) { return test::some<std::remove_cvref_t<decltype(x)>>(++seed, -0.5, 0.5); },
                   dense_net{});
}

}  // namespace

TEST_CASE("dense layers with relu and gelu give Flax's logits, and losses in three steps") {
  auto p = filled();
  auto const x = test::some<rows>(50);
  auto const [by_relu, by_gelu] = all_logits(p, x);
  CHECK(models::distance(by_relu, nets::dense_logits) < 1e-12);
  CHECK(models::distance(by_gelu, nets::dense_gelu_tanh) < 1e-12);
  for (double const wanted : nets::dense_losses) {
    auto [next, loss] = dense_step(p, x, labels{0, 3, 9, 5});
    p = next;
    CHECK(std::abs(loss.item() - wanted) < 1e-12);
  }
}
