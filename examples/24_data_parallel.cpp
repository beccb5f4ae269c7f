// SPDX-License-Identifier: BSD-3-Clause
// A network trained by several processes, each on its part of every epoch; their gradients become one. Page:
// docs/examples/24_data_parallel.md. Usage: mpirun -n 2 24_data_parallel [FOLDER EPOCHS]
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <etna/data/mnist.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/dist/collectives.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <etna/train/state.hpp>

using namespace etna;

constexpr int batch = 32;  // of one rank
struct net {
  nn::dense<float, 784, 256> first;
  nn::dense<float, 256, 10> last;
  constexpr auto operator()(auto const& x) const { return last(relu(first(x))); }
};
using pixels = array<std::uint8_t, batch, 784>;
using labels = array<int, batch>;
constexpr auto optimizer = optim::adam(1e-3);
using state = train::state<optimizer, net>;

constexpr auto loss = [](net const& p, pixels const& x, labels const& y) {
  return mean(softmax_cross_entropy(p(astype<float>(x) / 255), y));
};
// The step in two halves, between which the ranks meet.
constexpr auto gradient =
    jit([](net const& p, pixels const& x, labels const& y) { return value_and_grad(loss)(p, x, y); });
constexpr auto update = jit([](state s, net const& g) { return s.apply_gradients(g); });
constexpr auto right = jit([](net const& p, pixels const& x, labels const& y) {
  return sum(astype<int>(equal(argmax<1>(p(astype<float>(x) / 255)), y)));
});

data::image_set noise(std::size_t n) {
  data::image_set r{28, 28, std::vector<std::uint8_t>(n * 784), std::vector<std::int32_t>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    r.labels[i] = int(i % 10);
    for (std::size_t k = 0; k < 784; ++k) r.images[i * 784 + k] = std::uint8_t((i * 784 + k) * 2654435761u >> 26);
    for (std::size_t k = 0; k < 70; ++k) r.images[i * 784 + 70 * (i % 10) + k] = 255;
  }
  return r;
}

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  auto const me = std::size_t(ranks->rank()), all = std::size_t(ranks->size());
  bool const real = argc > 2;
  auto const train = real ? data::read_images(argv[1], "train") : noise(1280);
  auto const test = real ? data::read_images(argv[1], "t10k") : noise(320);
  auto part_of = [&](data::image_set const& of) {  // the ranks share an order, and each takes every all-th of it
    return data::in_memory(data::rows<784>(of.images), of.labels) | data::shuffle(0) | data::shard(me, all) |
           data::batch<batch>();
  };
  auto const mine = part_of(train), tried = part_of(test);

  auto s = train::create<optimizer>(dist::broadcast(*ranks, nn::init<net>(random::key(0))));
  double accuracy = 0;
  for (int epoch = 0, last = real ? std::atoi(argv[2]) : 3; epoch < last; ++epoch) {
    auto const start = std::chrono::steady_clock::now();
    array<float> sum(0);
    for (auto const& [x, y] : mine.epoch(std::uint64_t(epoch))) {
      auto const of_all = dist::all_reduce_mean(*ranks, gradient(s.params, x, y));
      sum = sum + of_all.first;
      s = update(std::move(s), of_all.second);
    }
    int known = 0;
    for (auto const& [x, y] : tried.epoch(0)) known += right(s.params, x, y).item();
    accuracy = double(dist::all_reduce(*ranks, known)) / double(tried.size() * batch * all);
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (me == 0)
      std::printf("epoch %d  loss %.4f  test %.4f  %.2f s  %zu ranks\n", epoch + 1,
                  double(sum.item()) / double(mine.size()), accuracy, seconds, all);
  }
  return accuracy > (real ? 0.8 : 0.99) ? 0 : 1;
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
