// SPDX-License-Identifier: BSD-3-Clause
// The vision transformer of example 13, its step written for the whole batch and divided among processes by dist::jit.
// Page: docs/examples/30_vit_sharded.md. Usage: mpirun -n 2 30_vit_sharded; other numbers by -DEXAMPLE_RANKS=3
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <etna/data/mnist.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/dist/sharded_jit.hpp>
#include <etna/dist/world.hpp>
#include <etna/train/state.hpp>

#include "models/vit.hpp"

using namespace etna;

#if !defined(EXAMPLE_RANKS)
#define EXAMPLE_RANKS 2
#endif
constexpr int batch = 48;  // of all ranks together
constexpr models::vit_config size{28, 4, 1, 96, 192, 3, 4, 10};
using net = models::vit<float, size>;
template <int N> using pixels = array<std::uint8_t, N, 784>;
template <int N> using labels = array<int, N>;
constexpr auto optimizer = optim::adamw(5e-4);
using state = train::state<optimizer, net>;

constexpr auto of_all = [](state s, pixels<batch> const& x, labels<batch> const& y) {
  auto const images = reshape<batch, 28, 28, 1>(astype<float>(x) / 255);
  auto const [value, g] = value_and_grad(models::vit_loss)(s.params, images, y);
  return std::pair{s.apply_gradients(g), value};
};
template <int Ranks> using mesh = dist::mesh<dist::axis("data"_n, Ranks)>;
template <class A, int Ranks> using part = dist::sharded<A, mesh<Ranks>, dist::spec<"data"_n>>;
template <int Ranks> constexpr auto step = dist::jit<mesh<Ranks>>(of_all);

data::image_set noise(std::size_t n) {
  data::image_set r{28, 28, std::vector<std::uint8_t>(n * 784), std::vector<std::int32_t>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    r.labels[i] = int(i % 10);
    for (std::size_t k = 0; k < 784; ++k) r.images[i * 784 + k] = std::uint8_t((i * 784 + k) * 2654435761u >> 26);
    for (std::size_t k = 0; k < 70; ++k) r.images[i * 784 + 70 * (i % 10) + k] = 255;
  }
  return r;
}

/// The losses of twenty steps of this process's parts of each batch.
template <int Ranks> std::vector<double> losses(dist::process_group& ranks) {
  mesh<Ranks> const all(ranks);
  auto const set = noise(20 * batch);
  auto const mine = data::in_memory(data::rows<784>(set.images), set.labels) | data::shuffle(0) |
                    data::shard_batch<batch / Ranks>(std::size_t(ranks.rank()), Ranks);
  auto s = train::create<optimizer>(nn::init<net>(random::key(0)));  // alike on all: the key is
  std::vector<double> found;
  for (auto const& [x, y] : mine.epoch(0)) {
    auto [next, value] =
        step<Ranks>(std::move(s), part<pixels<batch / Ranks>, Ranks>{x}, part<labels<batch / Ranks>, Ranks>{y});
    s = std::move(next);
    found.push_back(double(value.item()));
  }
  return found;
}

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  auto const begin = std::chrono::steady_clock::now();
  auto const found = ranks->size() == 1 ? losses<1>(*ranks) : losses<EXAMPLE_RANKS>(*ranks);
  double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  dist::one_process alone;
  auto const of_one = losses<1>(alone);
  double differs = 0;
  for (std::size_t i = 0; i < found.size(); ++i) differs = std::max(differs, std::abs(found[i] - of_one[i]));
  if (ranks->rank() == 0)
    std::printf("%d ranks: loss %.7f, then %.7f in %.1f s; from those of one process they differ by %.1e at most\n",
                ranks->size(), found.front(), found.back(), seconds, differs);
  return differs < 1e-6 && found.back() < found.front() ? 0 : 1;
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
