// SPDX-License-Identifier: BSD-3-Clause
// Budgets of memory: each plan fits, and gives the numbers of the plan that has none.
#include <etna/etna.hpp>
#include <etna/exec/fit.hpp>

#include <cmath>

#include <doctest/doctest.h>

namespace {

using namespace etna;

template <class T> double largest_difference(T const& a, T const& b) {
  double most = 0;
  tree::map(
      [&](auto const& x, auto const& y) {
        most = std::fmax(most, double(max(abs(x - y)).item()));
        return x;
      },
      a, b);
  return most;
}
/// A step of gradient descent on a model with a loss of p and x.
template <class Model, class Batch, class Loss> constexpr auto descent(Loss) {
  return jit([](Model p, Batch x) {
    auto [value, gradient] = value_and_grad(Loss{})(p, x);
    return std::pair{tree::map([](auto const& w, auto const& g) { return w - 0.01f * g; }, p, gradient), value};
  });
}
/// Fits the step into `Percent` of what temporaries take: does it, and are the numbers the same?
template <int Percent, class Step, class Model, class Batch>
void fits_into(Step const& step, Model const& p, Batch const& x) {
  using plain = plan_type<Step>;
  constexpr extent budget = plain::peak_bytes - plain::arena_bytes + plain::arena_bytes * Percent / 100;
  static constexpr auto tight = fit<budget>(Step{});
  using within = plan_type<decltype(tight)>;
  static_assert(within::peak_bytes <= budget && plain::peak_bytes > budget);
  static_assert(within::flops > plain::flops && within::flops < plain::flops * 3 / 2);
  auto const [q, value] = step(p, x);
  auto const [r, again] = tight(p, x);
  CHECK(value.item() == again.item());
  CHECK(largest_difference(q, r) == 0);
}

struct layer {
  array<float, 32, 32> w;
  array<float, 32> b;
};
struct chain {
  std::array<layer, 16> layers;
};
using rows = array<float, 256, 32>;
constexpr auto loss_of_chain = [](chain const& p, rows const& x) {
  auto h = x + 1;
  for (auto const& l : p.layers) h = tanh(dot(h, l.w) + l.b);
  return mean(square(h - x));
};
constexpr auto step_of_chain = descent<chain, rows>(loss_of_chain);

struct residual {
  std::array<nn::dense<float, 24, 48>, 6> up;
  std::array<nn::dense<float, 48, 24>, 6> down;
  std::array<nn::layer_norm<float, 24>, 6> norm;
};
using pictures = array<float, 64, 24>;
constexpr auto loss_of_residual = [](residual const& p, pictures const& x) {
  auto h = x * 2;
  for (std::size_t i = 0; i < 6; ++i) h = h + p.down[i](gelu(p.up[i](p.norm[i](h))));
  return mean(softmax_cross_entropy(h, arange<int, 64>() % 24));
};
constexpr auto step_of_residual = descent<residual, pictures>(loss_of_residual);

TEST_CASE("the same numbers in less memory") {
  chain p;
  for (std::size_t i = 0; i < 16; ++i) p.layers[i].w = 0.25f * random::normal<float, 32, 32>(random::key(int(i)));
  rows const x = random::normal<float, 256, 32>(random::key(99));
  fits_into<90>(step_of_chain, p, x);
  fits_into<70>(step_of_chain, p, x);
  fits_into<50>(step_of_chain, p, x);
}

TEST_CASE("networks with skips and norms") {
  auto const p = nn::init<residual>(random::key(1));
  pictures const x = random::normal<float, 64, 24>(random::key(2));
  fits_into<85>(step_of_residual, p, x);
  fits_into<60>(step_of_residual, p, x);
}

// What fits stays as it is.
using plain = plan_type<decltype(step_of_chain)>;
constexpr auto roomy = fit<plain::peak_bytes>(step_of_chain);
static_assert(plan_type<decltype(roomy)>::flops == plain::flops);
static_assert(plan_type<decltype(roomy)>::peak_bytes == plain::peak_bytes);

// A budget stays where more is said of the function.
static_assert(compiler::budget_of<decltype(fit<MiB>(fit<KiB>(step_of_chain)).f)> == KiB);
static_assert(compiler::budget_of<decltype(fit<KiB>(fit<MiB>(step_of_chain)).f)> == KiB);
static_assert(compiler::budget_of<decltype(jit(fit<KiB>(step_of_chain)).f)> == KiB);
static_assert(compiler::budget_of<decltype(with_precision<precision::bf16>(fit<KiB>(step_of_chain)).f)> == KiB);
static_assert(compiler::budget_of<decltype(step_of_chain.f)> < 0);

// A value that idles and costs nothing is made twice, without any derivative.
constexpr auto late = jit([](array<float, 1000, 64> x, array<float, 64, 64> w) {
  auto y = x * 2;
  auto z = dot(dot(dot(y, w), w), w);
  return sum(z) + sum(dot(y * z, w));
});
constexpr auto late_in_less = fit<plan_type<decltype(late)>::peak_bytes - 200'000>(late);
static_assert(plan_type<decltype(late_in_less)>::peak_bytes <= plan_type<decltype(late)>::peak_bytes - 200'000);

template <extent N> constexpr auto batched =
    jit([](array<float, N, 32> x, array<float, 32, 64> w, array<float, 64, 32> v) {
      auto h = relu(dot(x, w));
      return sum(dot(h, v) * x) + sum(h);
    });
template <extent N> constexpr extent peak_of_batched = plan_type<decltype(batched<N>)>::peak_bytes;

TEST_CASE("the largest batch") {
  constexpr extent n = max_batch<1 * MiB, 8>([]<extent N>() { return batched<N>; });
  static_assert(n % 8 == 0 && peak_of_batched<n> <= MiB && peak_of_batched<n + 8> > MiB);
  constexpr extent one = max_batch<peak_of_batched<1>>([]<extent N>() { return batched<N>; });
  static_assert(one == 1 || peak_of_batched<one + 1> > peak_of_batched<1>);
  CHECK(n > 8);
}

}  // namespace
