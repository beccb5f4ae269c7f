// SPDX-License-Identifier: BSD-3-Clause
// A whole training run: two spirals, a network, a loop that shows how it goes, keeps checkpoints, stops early, and goes
// on where it was when it is started again. docs/training.md explains it. Usage: 17_training [FOLDER]; without one it
// takes a folder that goes away.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <ranges>
#include <string>

#include <unistd.h>

#include <etna/data/shuffle.hpp>
#include <etna/etna.hpp>
#include <etna/train/metrics.hpp>
#include <etna/train/state.hpp>
#include <etna/train/training_loop.hpp>

using namespace etna;

struct net {
  nn::dense<float, 2, 32> first;
  nn::dense<float, 32, 32> second;
  nn::dense<float, 32, 2> last;
  constexpr auto operator()(auto const& x) const { return last(tanh(second(tanh(first(x))))); }
};
using points = array<float, 32, 2>;
using labels = array<int, 32>;

constexpr auto optimizer = optim::adam(0.005);
constexpr auto loss = [](net const& p, points const& x, labels const& y) {
  return mean(softmax_cross_entropy(p(x), y));
};
constexpr auto step = jit([](train::state<optimizer, net> s, points x, labels y) {
  auto [value, gradient] = value_and_grad(loss)(s.params, x, y);
  return std::pair{s.apply_gradients(gradient), value};
});
constexpr auto right = jit([](net const& p, points x, labels y) { return train::accuracy(p(x), y); });

// Two spirals of 512 points each; epoch e has them in an order of its own.
struct spirals {
  std::size_t size() const { return 32; }  // batches of 32
  std::pair<points, labels> batch(std::vector<std::uint32_t> const& order, std::size_t k) const {
    auto at = [&](std::size_t i) { return order[32 * k + i]; };
    auto x = points::build([&](float* out) {
      for (std::size_t i = 0; i < 32; ++i) {
        float const turn = float(at(i) / 2) / 100, side = at(i) % 2 ? 1.0f : -1.0f;
        out[2 * i] = side * (turn + 0.5f) * std::cos(turn) / 5;
        out[2 * i + 1] = side * (turn + 0.5f) * std::sin(turn) / 5;
      }
    });
    return {x, labels::build([&](int* out) {
              for (std::size_t i = 0; i < 32; ++i) out[i] = int(at(i) % 2);
            })};
  }
  auto epoch(std::uint64_t e, std::size_t first = 0) const {
    return std::views::iota(first, size()) |
           std::views::transform([this, order = data::shuffled(1024, 0, e)](std::size_t k) { return batch(order, k); });
  }
};

double accuracy(net const& p, spirals const& all) {
  auto m = train::mean::empty();
  for (auto const& [x, y] : all.epoch(0)) m = m.add(right(p, x, y));
  return m.value().item();
}

int main(int argc, char** argv) {
  auto const mine = std::filesystem::temp_directory_path() / ("etna-training-" + std::to_string(::getpid()));
  auto const folder = argc > 1 ? std::filesystem::path(argv[1]) : mine;
  spirals batches;
  auto s = train::create<optimizer>(nn::init<net>(random::key(0)));
  train::loop run(s, batches,
                  {.folder = folder,
                   .epochs = 60,
                   .save_every = 100,
                   .monitor = "accuracy",
                   .patience = 10,
                   .flops = plan_type<decltype(step)>::flops,
                   .examples = 32});
  for (auto& [x, y] : run) {
    auto [next, value] = step(std::move(s), x, y);
    s = std::move(next);
    run.log("loss", value);
    if (run.epoch_ends()) run.record("accuracy", accuracy(s.params, batches));
  }
  train::state<optimizer, net> best = s;
  data::load(best, run.best());
  std::printf("%s: %.1f%% right\n", run.best().c_str(), 100 * accuracy(best.params, batches));
  std::filesystem::remove_all(mine);
  return accuracy(best.params, batches) > 0.9 ? 0 : 1;
}
