// SPDX-License-Identifier: BSD-3-Clause
// A small vision transformer, trained on Fashion-MNIST. Page: docs/examples/13_vit.md
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <etna/data/batch.hpp>
#include <etna/data/mnist.hpp>
#include <etna/data/shuffle.hpp>
#include <etna/interop/span.hpp>

#include "models/vit.hpp"

using namespace etna;

constexpr models::vit_config size{28, 4, 1, 96, 192, 3, 4, 10};
constexpr int batch = 64, pictures = 60000, tried = 500;
using net = models::vit<float, size>;
constexpr auto usual = optim::adamw(1e-3);
using state = optim::state_of<usual, net>;

// A picture moved by up to a pixel: a part of it with a margin of zeros.
constexpr auto part = [](array<float, 30, 30, 1> const& x, array<int, 2> const& at) {
  return dynamic_slice<28, 28, 1>(x, slice<0>(at), slice<1>(at), 0);
};
// One step, of the pictures that `rows` names; each is moved, and half of them are turned over.
constexpr auto step =
    jit([](net p, state s, array<std::uint8_t, pictures * 784> const& all, array<int, pictures> const& labels,
           array<int, batch> const& rows, array<float> const& rate, random::prng_key const& key) {
      auto x = astype<float>(take<0>(reshape<pictures, 28, 28, 1>(all), rows)) / 255;
      auto const keys = random::split(key);
      x = vmap(part)(pad<0, 0, 1, 1, 1, 1, 0, 0>(x), random::randint<int, batch, 2>(keys[0], 0, 3));
      x = where(random::bernoulli<batch, 1, 1, 1>(keys[1]), flip<2>(x), x);
      auto [value, gradient] = value_and_grad(models::vit_loss)(p, x, take<0>(labels, rows));
      auto [updates, next] = optim::adamw(rate, {.weight_decay = 0.05}).update(gradient, s, p);
      return std::tuple{optim::apply_updates(p, updates), next, value};
    });
// How many of some pictures are recognised.
constexpr auto correct = jit([](net const& p, array<std::uint8_t, tried * 784> const& x, array<int, tried> const& y) {
  auto logits = vmap<none, 0>([](net const& p, auto const& x) { return p(x); })(
      p, astype<float>(reshape<tried, 28, 28, 1>(x)) / 255);
  return sum(astype<int>(equal(argmax<1>(logits), y)));
});

double accuracy(net const& p, data::image_set const& of) {
  int n = 0;
  for (std::size_t i = 0; i < 10000; i += tried)
    n += correct(p, std::span(of.images).subspan(i * 784, tried * 784), std::span(of.labels).subspan(i, tried)).item();
  return n / 10000.0;
}
data::image_set noise() {
  data::image_set r{28, 28, std::vector<std::uint8_t>(pictures * 784), std::vector<std::int32_t>(pictures)};
  for (std::size_t i = 0; i < r.images.size(); ++i) r.images[i] = std::uint8_t(i * 2654435761u >> 24);
  for (std::size_t i = 0; i < r.labels.size(); ++i) r.labels[i] = int(i % 10);
  return r;
}

// 13_vit [FOLDER EPOCHS]: without a folder of images two steps on noise.
int main(int argc, char** argv) try {
  bool const real = argc > 2;
  auto const train = real ? data::read_images(argv[1], "train") : noise();
  int const per_epoch = real ? pictures / batch : 2, steps = per_epoch * (real ? std::atoi(argv[2]) : 1);
  auto const rate = optim::warmup_cosine_decay_schedule(0.0, 1e-3, steps / 20, steps, 1e-5);
  auto p = nn::init<net>(random::key(0));
  auto s = usual.init(p);
  std::printf("%lld parameters\n", static_cast<long long>(nn::parameter_count<net>()));
  auto const start = std::chrono::steady_clock::now();
  double sum = 0;
  std::vector<std::uint32_t> order;
  for (int i = 0; i < steps; ++i) {
    if (i % per_epoch == 0) order = data::shuffled(pictures, 0, std::uint64_t(i / per_epoch));
    auto rows = array<int, batch>::build([&](int* out) {
      for (int k = 0; k < batch; ++k) out[k] = int(order[std::size_t(i % per_epoch * batch + k)]);
    });
    array<float> value;
    std::tie(p, s, value) = step(std::move(p), std::move(s), train.images, train.labels, rows, rate(array<int>(i)),
                                 random::fold_in(random::key(1), i));
    sum += value.item();
    if (real && (i + 1) % per_epoch == 0) {
      double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      std::printf("epoch %d  loss %.4f  test %.4f  %.0f s\n", (i + 1) / per_epoch, sum / per_epoch,
                  accuracy(p, data::read_images(argv[1], "t10k")), seconds);
      std::fflush(stdout);
      sum = 0;
    }
  }
  return real || sum > 0 ? 0 : 1;
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
