// SPDX-License-Identifier: BSD-3-Clause
// A network trained by several processes with one compiled step: pmap, in which gradients and loss become the mean of
// all ranks. The losses are those of one process. Page: docs/examples/27_pmap.md
// Usage: mpirun -n 2 27_pmap [FOLDER EPOCHS]
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <etna/data/mnist.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/dist/collectives.hpp>
#include <etna/dist/pmap.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <etna/train/state.hpp>

using namespace etna;

constexpr std::size_t batch = 48;  // of all ranks together
struct net {
  nn::dense<float, 784, 256> first;
  nn::dense<float, 256, 10> last;
  constexpr auto operator()(auto const& x) const { return last(relu(first(x))); }
};
using pixels = array<std::uint8_t, "b"_n, 784>;  // as many as a rank has
using labels = array<int, "b"_n>;
constexpr auto optimizer = optim::sgd(0.02, {.momentum = 0.9});
using state = train::state<optimizer, net>;

constexpr auto loss = [](net const& p, pixels const& x, labels const& y) {
  return mean(softmax_cross_entropy(p(astype<float>(x) / 255), y));
};
constexpr auto step = dist::pmap<"ranks"_n>([](state s, pixels const& x, labels const& y) {
  auto const [value, g] = pmean<"ranks"_n>(value_and_grad(loss)(s.params, x, y));
  return std::pair{s.apply_gradients(g), value};
});
constexpr auto right = dist::pmap<"ranks"_n>([](net const& p, pixels const& x, labels const& y) {
  return psum<"ranks"_n>(sum(astype<int>(equal(argmax<1>(p(astype<float>(x) / 255)), y))));
});
// The same for one process that has the whole batch.
constexpr auto step_of_one = jit([](state s, pixels const& x, labels const& y) {
  auto const [value, g] = value_and_grad(loss)(s.params, x, y);
  return std::pair{s.apply_gradients(g), value};
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
  dist::mesh<"ranks"_n> const all(*ranks);
  auto const me = std::size_t(ranks->rank()), n = std::size_t(ranks->size());
  bool const real = argc > 2;
  auto const train = real ? data::read_images(argv[1], "train") : noise(1920);
  auto const test = real ? data::read_images(argv[1], "t10k") : noise(480);
  auto const pictures = [](data::image_set const& of) {
    return data::in_memory(data::rows<784>(of.images), of.labels) | data::shuffle(0);
  };
  auto const mine = pictures(train) | data::shard_batch<"b"_n>(batch, me, n);
  auto const tried = pictures(test) | data::shard_batch<"b"_n>(batch, me, n);
  auto const start = train::create<optimizer>(nn::init<net>(random::key(0)));  // alike on all: the key is

  // Twenty steps beside those of one process.
  auto s = start, one = start;
  double differs = 0;
  auto whole = (pictures(train) | data::batch<"b"_n>(batch, data::rest::drop)).epoch(0);
  auto from = whole.begin();
  int steps = 0;
  for (auto const& [x, y] : mine.epoch(0)) {
    if (steps++ == 20) break;
    auto [next, value] = step(std::move(s), x, y);
    auto const& [all_x, all_y] = *from;
    auto [next_one, value_of_one] = step_of_one(std::move(one), all_x, all_y);
    s = std::move(next), one = std::move(next_one), ++from;
    differs = std::max(differs, std::abs(double(value.item()) - double(value_of_one.item())));
    if (me == 0 && steps % 5 == 0) std::printf("step %2d  loss %.7f\n", steps, double(value.item()));
  }
  if (me == 0) std::printf("%zu ranks: losses differ from those of one process by %.1e at most\n", n, differs);

  s = start;
  double accuracy = 0;
  for (int epoch = 0, last = real ? std::atoi(argv[2]) : 2; epoch < last; ++epoch) {
    auto const begun = std::chrono::steady_clock::now();
    array<float> sum(0);
    for (auto const& [x, y] : mine.epoch(std::uint64_t(epoch))) {
      auto [next, value] = step(std::move(s), x, y);
      s = std::move(next), sum = sum + value;
    }
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    int known = 0;
    for (auto const& [x, y] : tried.epoch(0)) known += right(s.params, x, y).item();
    accuracy = double(known) / double(tried.size() * batch);
    if (me == 0)
      std::printf("epoch %d  loss %.4f  test %.4f  %.2f s\n", epoch + 1, double(sum.item()) / double(mine.size()),
                  accuracy, seconds);
  }
  return differs < 1e-6 && accuracy > (real ? 0.8 : 0.99) ? 0 : 1;
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
