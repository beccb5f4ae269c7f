// SPDX-License-Identifier: BSD-3-Clause
// A recurrent network learns to repeat what it saw two steps ago: scan, its gradient, and random keys.
// Page: docs/examples/07_recurrent.md
#include <cstdio>

#include <etna/etna.hpp>
#include <etna/optim/adam.hpp>

using etna::array;

constexpr int steps = 20, width = 16, examples = 32;

struct cell {
  array<float, width> in;
  array<float, width, width> again;
  array<float, width> bias, out;
};

// One sequence: the carry is the hidden state, and each step gives a prediction.
constexpr auto predict = [](cell const& p, array<float, steps> x) {
  return etna::scan(
             [&](auto const& h, auto const& now) {
               auto next = etna::tanh(etna::dot(h, p.again) + p.in * now + p.bias);
               return std::pair{next, etna::dot(next, p.out)};
             },
             etna::zeros<float, width>(), x)
      .second;
};

constexpr auto loss = [](cell const& p, array<float, examples, steps> x) {
  auto y = etna::vmap<etna::none, 0>(predict)(p, x);
  // y[t] should be x[t - 2]
  return etna::mean(etna::square(etna::slice<etna::every, etna::range{2, steps}>(y) -
                                 etna::slice<etna::every, etna::range{0, steps - 2}>(x)));
};

constexpr auto optimizer = etna::optim::adam(0.01);
constexpr auto train = etna::jit([](cell p, etna::optim::state_of<optimizer, cell> s, etna::random::prng_key key) {
  auto x = etna::random::uniform<float, examples, steps>(key, -1.f, 1.f);
  auto [value, g] = etna::value_and_grad(loss)(p, x);
  auto [updates, next] = optimizer.update(g, s);
  return std::tuple{etna::optim::apply_updates(p, updates), next, value};
});

int main() {
  auto keys = etna::random::split<4>(etna::random::key(0));
  cell p{etna::random::normal<float, width>(keys[0]) * 0.5f, etna::random::normal<float, width, width>(keys[1]) * 0.2f,
         etna::zeros<float, width>(), etna::random::normal<float, width>(keys[2]) * 0.2f};
  auto s = optimizer.init(p);
  float value = 0;
  for (int i = 0; i <= 600; ++i) {
    auto [parameters, state, now] = train(std::move(p), std::move(s), etna::random::fold_in(keys[3], i));
    p = std::move(parameters);
    s = std::move(state);
    value = now.item();
    if (i % 100 == 0) std::printf("step %3d  loss %.4f\n", i, value);
  }
  return value < 0.02f ? 0 : 1;
}
