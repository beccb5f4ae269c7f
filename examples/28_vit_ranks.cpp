// SPDX-License-Identifier: BSD-3-Clause
// The small vision transformer of example 13, trained by several processes: pmap of its step. The losses are those of
// one process. Page: docs/examples/28_vit_ranks.md
// Usage: mpirun -n 2 28_vit_ranks [FOLDER STEPS], of one epoch
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <etna/data/mnist.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/dist/pmap.hpp>
#include <etna/dist/world.hpp>
#include <etna/group/one_process.hpp>
#include <etna/train/state.hpp>

#include "models/vit.hpp"

using namespace etna;

constexpr models::vit_config size{28, 4, 1, 96, 192, 3, 4, 10};
constexpr std::size_t batch = 48;  // of all ranks together
constexpr int beside = 20;         // steps that one process takes too
using net = models::vit<float, size>;
using pixels = array<std::uint8_t, "b"_n, 784>;
using labels = array<int, "b"_n>;
constexpr auto optimizer = optim::sgd(0.01, {.momentum = 0.9});
using state = train::state<optimizer, net>;

constexpr auto step = dist::pmap<"ranks"_n>([](state s, pixels const& x, labels const& y) {
  auto const pictures = astype<float>(expand_dims<3>(reshape<"b"_n, 28, 28>(x))) / 255;
  auto const [value, g] = pmean<"ranks"_n>(value_and_grad(models::vit_loss)(s.params, pictures, y));
  return std::pair{s.apply_gradients(g), value};
});

data::image_set stripes(std::size_t n) {
  data::image_set r{28, 28, std::vector<std::uint8_t>(n * 784), std::vector<std::int32_t>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    r.labels[i] = int(i % 10);
    for (std::size_t k = 0; k < 784; ++k)
      r.images[i * 784 + k] = std::uint8_t(k / 28 / 3 == i % 10 ? 255 : (i * 784 + k) * 2654435761u >> 25);
  }
  return r;
}

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  dist::mesh<"ranks"_n> const all(*ranks);
  auto const me = std::size_t(ranks->rank()), n = std::size_t(ranks->size());
  bool const real = argc > 2;
  auto const train = real ? data::read_images(argv[1], "train") : stripes(960);
  int const steps = real ? std::atoi(argv[2]) : 20;
  auto const pictures = data::in_memory(data::rows<784>(train.images), train.labels) | data::shuffle(0);
  auto const mine = pictures | data::shard_batch<"b"_n>(batch, me, n);
  auto const whole = pictures | data::shard_batch<"b"_n>(batch, 0, 1);

  auto s = train::create<optimizer>(nn::init<net>(random::key(0))), one = s;
  auto of_one = whole.epoch(0);
  auto from = of_one.begin();
  double differs = 0, first = 0, last = 0, seconds = 0;
  int k = 0;
  for (auto const& [x, y] : mine.epoch(0)) {
    if (k == steps) break;
    auto const begun = std::chrono::steady_clock::now();
    auto [next, value] = step(std::move(s), x, y);
    s = std::move(next), last = value.item();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    if (k == 0) first = last;
    if (k < beside) {  // the same step, on a mesh of one process
      dist::one_process alone;
      dist::mesh<"ranks"_n> const of_this(alone);
      auto const& [all_x, all_y] = *from;
      auto [next_one, value_of_one] = step(std::move(one), all_x, all_y);
      one = std::move(next_one), ++from;
      differs = std::max(differs, std::abs(last - double(value_of_one.item())));
    }
    if (++k % 5 == 0 && k <= 20 && me == 0) std::printf("step %2d  loss %.7f\n", k, last);
    if (k % 500 == 0 && me == 0) std::printf("step %2d  loss %.4f\n", k, last);
  }
  if (me == 0)
    std::printf("%zu ranks: losses differ from those of one process by %.1e at most; %.1f ms a step\n", n, differs,
                1e3 * seconds / steps);
  return differs < 1e-6 && last < first ? 0 : 1;
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
