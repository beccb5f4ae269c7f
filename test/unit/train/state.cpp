// SPDX-License-Identifier: BSD-3-Clause
// The state of a training: steps in jit and outside, beside the optimizer used by hand; its memory; its paths.
#include <doctest/doctest.h>

#include <etna/data/checkpoint.hpp>
#include <etna/etna.hpp>
#include <etna/train/state.hpp>

using namespace etna;

namespace {
struct net {
  array<float, 40, 8> kernel;
  array<float, 8> bias;
};
constexpr auto optimizer = optim::adamw(0.01);
using state = train::state<optimizer, net>;
constexpr auto loss = [](net const& p, array<float, 40> const& x) { return mean(square(dot(x, p.kernel) + p.bias)); };
constexpr auto step = jit([](state s, array<float, 40> x) {
  auto [value, gradient] = value_and_grad(loss)(s.params, x);
  return std::pair{s.apply_gradients(gradient), value};
});
net first() {
  return {array<float, 40, 8>::build([](float* out) {
            for (int i = 0; i < 320; ++i) out[i] = float(i % 13) / 13 - 0.4f;
          }),
          {}};
}
array<float, 40> numbers() {
  return array<float, 40>::build([](float* out) {
    for (int i = 0; i < 40; ++i) out[i] = float(i % 7) / 7;
  });
}
// state and statistics of a batch norm: a user's own struct around it
struct with_more {
  state train;
  array<float, 8> statistics;
};
}  // namespace

TEST_CASE("in jit, outside of it, and as Optax's parts say") {
  auto s = train::create<optimizer>(first()), t = s;
  auto p = first();
  auto o = optimizer.init(p);
  auto const x = numbers();
  for (int i = 0; i < 3; ++i) {
    auto [next, value] = step(std::move(s), x);
    s = std::move(next);
    auto [by_hand, g] = value_and_grad(loss)(p, x);
    t = t.apply_gradients(value_and_grad(loss)(t.params, x).second);
    auto [updates, after] = optimizer.update(g, o, p);
    p = optim::apply_updates(p, updates);
    o = after;
    CHECK(value.item() == doctest::Approx(by_hand.item()));
  }
  CHECK(s.step.item() == 3);
  CHECK(t.step.item() == 3);
  CHECK(max(abs(s.params.kernel - p.kernel)).item() < 1e-6f);
  CHECK(max(abs(t.params.kernel - p.kernel)).item() == 0.0f);  // the same operations
  CHECK(max(abs(s.params.kernel - first().kernel)).item() > 1e-3f);
}

TEST_CASE("a state that is moved is updated in place, and one that is kept is not changed") {
  auto s = train::create<optimizer>(first());
  s.params.kernel = s.params.kernel + 0.0f;  // memory of its own
  auto const* memory = s.params.kernel.data();
  auto [next, value] = step(std::move(s), numbers());
  CHECK(next.params.kernel.data() == memory);
  auto const kept = next;
  auto [after, other] = step(std::move(next), numbers());
  CHECK(after.params.kernel.data() != memory);
  CHECK(kept.params.kernel.data() == memory);
  CHECK(kept.step.item() == 1);
  CHECK(after.step.item() == 2);
}

TEST_CASE("it is a tree with paths, also in a struct of the user's") {
  with_more const all{train::create<optimizer>(first()), {}};
  std::string paths;
  tree::for_each_with_path(all, [&](std::string const& path, auto const&) { paths += path + " "; });
  CHECK(paths ==
        "train.step train.params.kernel train.params.bias train.opt_state.0.count train.opt_state.0.mu.kernel "
        "train.opt_state.0.mu.bias train.opt_state.0.nu.kernel train.opt_state.0.nu.bias statistics ");
}
