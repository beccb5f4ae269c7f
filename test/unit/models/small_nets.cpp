// SPDX-License-Identifier: BSD-3-Clause
// Small networks as PyTorch's and Flax's pages have them: results, and losses of three steps.
#include <doctest/doctest.h>

#include <etna/data/naming.hpp>
#include <etna/etna.hpp>

#include "../../data/nets.inc.hpp"
#include "../data/file.hpp"
#include "near.hpp"

using namespace etna;

namespace {

// nn.Sequential(nn.Conv2d(1, 20, 5), nn.ReLU(), nn.Conv2d(20, 20, 5), nn.ReLU()), of one picture.
struct convolutions {
  nn::conv<double, 1, 20, 5, 5, padding_valid> first;
  nn::conv<double, 20, 20, 5, 5, padding_valid> second;
  constexpr auto operator()(auto const& x) const { return relu(second(relu(first(x)))); }
};
using picture = array<double, 12, 12, 1>;
constexpr auto results = jit([](convolutions const& p, picture const& x) { return p(x); });
constexpr auto convolution_step = jit([](convolutions const& p, picture const& x) {
  auto [loss, gradient] =
      value_and_grad([](convolutions const& p, picture const& x) { return mean(square(p(x))); })(p, x);
  return std::pair{tree::map([](auto const& a, auto const& g) { return a - 0.001 * g; }, p, gradient), loss};
});

// nn.Dense(128), an activation, nn.Dense(10).
struct dense_net {
  nn::dense<double, 16, 128> first;
  nn::dense<double, 128, 10> second;
};
struct relu_form {
  constexpr auto operator()(auto const& x) const { return relu(x); }
};
struct gelu_form {
  bool approximate;
  constexpr auto operator()(auto const& x) const { return gelu(x, approximate); }
};
using rows = array<double, 4, 16>;
using labels = array<int, 4>;
constexpr auto logits = [](dense_net const& p, auto const& x, auto const& form) { return p.second(form(p.first(x))); };
constexpr auto all_logits = jit([](dense_net const& p, rows const& x) {
  return std::tuple{logits(p, x, relu_form{}), logits(p, x, gelu_form{true}), logits(p, x, gelu_form{false})};
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

TEST_CASE("two convolutions of 5 x 5 give PyTorch's results, and its losses in three steps") {
  test_data::folder f;
  huggingface::write_checkpoint(f / "x", nets::conv_entries);
  convolutions p{};
  data::load(p, f / "x", data::torch_names{{"^first", "0"}, {"^second", "2"}});
  auto const x = test::some<picture>(50);
  CHECK(models::distance(results(p, x), nets::conv_results) < 1e-12);
  for (double const wanted : nets::conv_losses) {
    auto [next, loss] = convolution_step(p, x);
    p = next;
    CHECK(std::abs(loss.item() - wanted) < 1e-12);
  }
}

TEST_CASE("dense layers with relu and both forms of gelu give Flax's and PyTorch's logits, and losses in three steps") {
  auto p = filled();
  auto const x = test::some<rows>(50);
  auto const [by_relu, by_tanh, by_erf] = all_logits(p, x);
  CHECK(models::distance(by_relu, nets::dense_logits) < 1e-12);
  CHECK(models::distance(by_tanh, nets::dense_gelu_tanh) < 1e-12);
  CHECK(models::distance(by_erf, nets::dense_gelu_erf) < 1e-12);
  for (double const wanted : nets::dense_losses) {
    auto [next, loss] = dense_step(p, x, labels{0, 3, 9, 5});
    p = next;
    CHECK(std::abs(loss.item() - wanted) < 1e-12);
  }
}
