// SPDX-License-Identifier: BSD-3-Clause
// A network trained by several processes with a step that is written for the whole batch, and divided while compiling.
// Page: docs/examples/29_sharded.md. Usage: mpirun -n 2 29_sharded [show]
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <etna/data/mnist.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/dist/show_partition.hpp>
#include <etna/dist/sum_of_blocks.hpp>
#include <etna/dist/world.hpp>
#include <etna/etna.hpp>
#include <etna/train/state.hpp>

using namespace etna;

constexpr int batch = 48, blocks = 12;  // of all ranks together
struct net {
  nn::dense<float, 784, 256> first;
  nn::dense<float, 256, 10> last;
  constexpr auto operator()(auto const& x) const { return last(relu(first(x))); }
};
template <int N> using pixels = array<std::uint8_t, N, 784>;
template <int N> using labels = array<int, N>;
constexpr auto optimizer = optim::sgd(0.03, {.momentum = 0.9});
using state = train::state<optimizer, net>;

constexpr auto loss = [](net const& p, auto const& x, auto const& y) {
  return mean(softmax_cross_entropy(p(astype<float>(x) / 255), y));
};
// The step of the whole batch, and as it runs on each of so many processes.
constexpr auto of_all = [](state s, pixels<batch> const& x, labels<batch> const& y) {
  auto const [value, g] = value_and_grad(loss)(s.params, x, y);
  return std::pair{s.apply_gradients(g), value};
};
template <int Ranks> using mesh = dist::mesh<dist::axis("data"_n, Ranks)>;
template <class A, int Ranks> using part = dist::sharded<A, mesh<Ranks>, dist::spec<"data"_n>>;
template <int Ranks> constexpr auto step = dist::jit<mesh<Ranks>>(of_all);
// The same in blocks of four.
constexpr auto gradient = jit([](net const& p, pixels<batch / blocks> const& x, labels<batch / blocks> const& y) {
  return value_and_grad(loss)(p, x, y);
});
constexpr auto update = jit([](state s, net const& sum) {
  return s.apply_gradients(tree::map([](auto const& g) { return g / float(blocks); }, sum));
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
auto pictures(data::image_set const& of) {
  return data::in_memory(data::rows<784>(of.images), of.labels) | data::shuffle(0);
}

/// Twenty steps in blocks: their losses, and then the numbers of the first layer.
std::vector<float> in_blocks(dist::process_group& ranks, data::image_set const& set, state s) {
  auto const fours = pictures(set) | data::batch<batch / blocks>();
  auto const mine = dist::blocks_of(ranks, blocks);
  std::vector<float> found;
  for (std::size_t i = 0; i < 20; ++i) {
    std::vector<std::pair<array<float>, net>> of_blocks;
    for (auto const& [x, y] : fours.epoch(0, i * blocks + std::size_t(mine.first)))
      if (int(of_blocks.size()) < mine.count) of_blocks.push_back(gradient(s.params, x, y));
      else break;
    auto const [value, sum] = dist::sum_of_blocks(ranks, of_blocks);
    s = update(std::move(s), sum);
    found.push_back(value.item() / blocks);
  }
  found.insert(found.end(), s.params.first.kernel.data(), s.params.first.kernel.data() + 784 * 256);
  return found;
}

template <int Ranks> bool run(dist::process_group& ranks, bool show) {
  using x_part = part<pixels<batch / Ranks>, Ranks>;
  using y_part = part<labels<batch / Ranks>, Ranks>;
  mesh<Ranks> const all(ranks);
  dist::one_process alone;
  mesh<1> const itself(alone);
  bool const says = ranks.rank() == 0;
  if (show && says) std::fputs(dist::show_partition(step<Ranks>, state{}, x_part{}, y_part{}).c_str(), stdout);

  auto const set = noise(20 * batch);
  auto const mine = pictures(set) | data::shard_batch<batch / Ranks>(std::size_t(ranks.rank()), Ranks);
  auto const start = train::create<optimizer>(nn::init<net>(random::key(0)));  // alike on all: the key is
  auto s = start, one = start;
  auto whole = (pictures(set) | data::batch<batch>()).epoch(0);
  auto from = whole.begin();
  double differs = 0, last = 0;
  int steps = 0;
  for (auto const& [x, y] : mine.epoch(0)) {
    auto [next, value] = step<Ranks>(std::move(s), x_part{x}, y_part{y});
    auto const& [all_x, all_y] = *from;
    auto [next_one, of_one] = step<1>(std::move(one), part<pixels<batch>, 1>{all_x}, part<labels<batch>, 1>{all_y});
    s = std::move(next), one = std::move(next_one), ++from;
    last = double(value.item());
    differs = std::max(differs, std::abs(last - double(of_one.item())));
    if (++steps % 5 == 0 && says) std::printf("step %2d  loss %.7f\n", steps, last);
  }
  bool const same = in_blocks(ranks, set, start) == in_blocks(alone, set, start);
  if (says)
    std::printf("%d ranks: losses differ from those of one process by %.1e at most; in blocks, %s\n", Ranks, differs,
                same ? "the same bits" : "other bits");
  return differs < 1e-6 && last < 0.5 && same;
}

int main(int argc, char** argv) try {
  dist::session const mpi(&argc, &argv);
  auto const ranks = dist::world();
  constexpr decltype(&run<1>) runs[]{run<1>, run<2>, run<3>, run<4>};  // of more, the mesh says what is wrong
  return runs[std::min(ranks->size(), 4) - 1](*ranks, argc > 1) ? 0 : 1;
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
