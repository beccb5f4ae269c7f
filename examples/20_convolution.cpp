// SPDX-License-Identifier: BSD-3-Clause
// A convolutional network, trained on Fashion-MNIST. Page: docs/examples/20_convolution.md
#include <cstdio>

#include <etna/data/checkpoint.hpp>
#include <etna/data/crop.hpp>
#include <etna/data/mnist.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/data/random_images.hpp>
#include <etna/etna.hpp>
#include <etna/train/metrics.hpp>
#include <etna/train/state.hpp>
#include <etna/train/training_loop.hpp>

using namespace etna;

struct net {
  nn::conv<float, 1, 32, 3, 3> first;
  nn::conv<float, 32, 64, 3, 3> second;
  nn::dropout<0.3> drop;
  nn::dense<float, 7 * 7 * 64, 128> hidden;
  nn::dense<float, 128, 10> last;
  // Pictures [b, 28, 28, 1] -> logits [b, 10].
  template <any_array X, class Mode> constexpr auto operator()(X const& x, Mode const& mode) const {
    auto h = max_pool<2, 2>(relu(second(max_pool<2, 2>(relu(first(x))))));
    return last(drop(relu(hidden(reshape<X::type.e[0], 7 * 7 * 64>(h))), mode));
  }
};

constexpr int batch = 64, tried = 500, epochs = 12;
constexpr int steps = 60000 / batch * epochs;
constexpr auto optimizer =
    optim::adamw(optim::warmup_cosine_decay_schedule(0.0, 2e-3, steps / 20, steps, 1e-5), {.weight_decay = 0.02});
constexpr auto step = jit([](train::state<optimizer, net> s, array<std::uint8_t, batch, 28, 28, 1> const& x,
                             array<int, batch> const& y, random::prng_key const& key) {
  auto loss = [](net const& p, auto const& x, auto const& y, auto const& key) {
    return mean(softmax_cross_entropy(p(x, key), y));
  };
  auto [value, gradient] = value_and_grad(loss)(s.params, astype<float>(x) / 255, y, key);
  return std::pair{s.apply_gradients(gradient), value};
});
constexpr auto right =
    jit([](net const& p, array<std::uint8_t, tried, 28, 28, 1> const& x, array<int, tried> const& y) {
      return train::accuracy(p(astype<float>(x) / 255, nn::evaluation), y);
    });

template <class Set> double accuracy(net const& p, Set const& batches) {
  auto m = train::mean::empty();
  for (auto const& [x, y] : batches.epoch(0)) m = m.add(right(p, x, y));
  return m.value().item();
}

// Half of the pictures are turned round.
template <class Set, class Test> double fit(Set const& set, Test const& test, train::loop_options const& options) {
  auto train = set | data::shuffle(0) | data::map<0>(data::random_flip()) | data::batch<batch>() | data::prefetch(4);
  auto tests = test | data::batch<tried>();
  auto s = train::create<optimizer>(nn::init<net>(random::key(0)));
  train::loop run(s, train, options);
  for (auto& [x, y] : run) {
    auto [next, value] = step(std::move(s), x, y, random::fold_in(random::key(1), int(run.step())));
    s = std::move(next);
    run.log("loss", value);
    if (run.epoch_ends()) run.record("accuracy", accuracy(s.params, tests));
  }
  if (!run.best().empty()) data::load(s, run.best());
  return accuracy(s.params, tests);
}

// 20_convolution [FOLDER RUN]: FOLDER has Fashion-MNIST's files, RUN keeps the checkpoints. Without them two steps on
// noise.
int main(int argc, char** argv) try {
  if (argc < 3) {
    auto const noise = data::random_images<28, 28, 1>(2 * batch, 10);
    return fit(noise, data::random_images<28, 28, 1>(tried, 10, 1), {}) > 0 ? 0 : 1;
  }
  auto set = [&](char const* part) {
    auto all = data::read_images(argv[1], part);
    return data::in_memory(data::rows<28, 28, 1>(std::move(all.images)), std::move(all.labels));
  };
  std::printf("%lld parameters\n", static_cast<long long>(nn::parameter_count<net>()));
  double const best = fit(set("train"), set("t10k"),
                          {.folder = argv[2],
                           .epochs = epochs,
                           .monitor = "accuracy",
                           .flops = plan_type<decltype(step)>::flops,
                           .examples = batch});
  std::printf("best: %.2f%% of the test images\n", 100 * best);
  return 0;
} catch (error const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 2;
}
