// SPDX-License-Identifier: BSD-3-Clause
// ResNet-8, trained on CIFAR-10. Page: docs/examples/21_resnet.md
#include <cstdio>

#include <etna/data/checkpoint.hpp>
#include <etna/data/cifar.hpp>
#include <etna/data/crop.hpp>
#include <etna/data/normalise.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/data/random_images.hpp>
#include <etna/train/metrics.hpp>
#include <etna/train/state.hpp>
#include <etna/train/training_loop.hpp>

#include "models/resnet.hpp"

using namespace etna;

using net = models::resnet<float, models::resnet8>;
constexpr int batch = 100, epochs = 30;
constexpr int steps = 50000 / batch * epochs;
constexpr auto optimizer =
    optim::chain(optim::masked<"*.kernel">(optim::add_decayed_weights(5e-4)),
                 optim::sgd(optim::warmup_cosine_decay_schedule(0.0, 0.1, steps / 20, steps, 1e-4),
                            {.momentum = 0.9, .nesterov = true}));

// What the training changes: the running means of batch_norm are beside the parameters.
struct trained {
  train::state<optimizer, net> of;
  net::state means;
};
template <extent N> using pictures = array<float, N, 32, 32, 3>;
constexpr auto step = jit([](trained s, pictures<batch> const& x, array<int, batch> const& y) {
  auto [result, gradient] = value_and_grad(models::resnet_loss, has_aux)(s.of.params, s.means, x, y);
  auto [value, means] = result;
  return std::pair{trained{s.of.apply_gradients(gradient), means}, value};
});
constexpr auto right =
    jit([](net const& p, net::state const& means, pictures<batch> const& x, array<int, batch> const& y) {
      return train::accuracy(p(x, means, nn::evaluation).first, y);
    });

template <class Set> double accuracy(trained const& s, Set const& batches) {
  auto m = train::mean::empty();
  for (auto const& [x, y] : batches.epoch(0)) m = m.add(right(s.of.params, s.means, x, y));
  return m.value().item();
}

template <class Set> double fit(Set const& set, Set const& test, train::loop_options const& options) {
  auto const numbers = data::map<0>(data::normalise({0.4914, 0.4822, 0.4465}, {0.247, 0.2435, 0.2616}));
  auto train = set | data::shuffle(0) | data::map<0>(data::random_crop<32, 32>(4)) | data::map<0>(data::random_flip()) |
               numbers | data::batch<batch>() | data::prefetch(4);
  auto tests = test | numbers | data::batch<batch>();
  trained s{train::create<optimizer>(nn::init<net>(random::key(0))), nn::init<net::state>(random::key(0))};
  train::loop run(s, train, options);
  for (auto& [x, y] : run) {
    auto [next, value] = step(std::move(s), x, y);
    s = std::move(next);
    run.log("loss", value);
    if (run.epoch_ends()) run.record("accuracy", accuracy(s, tests));
  }
  if (!run.best().empty()) data::load(s, run.best());
  return accuracy(s, tests);
}

// 21_resnet [FOLDER RUN]: FOLDER has CIFAR-10's binary files, RUN keeps the checkpoints. Without them two steps on
// random pictures.
int main(int argc, char** argv) try {
  std::printf("%lld parameters\n", static_cast<long long>(nn::parameter_count<net>()));
  if (argc < 3)
    return fit(data::random_images<32, 32, 3>(2 * batch, 10), data::random_images<32, 32, 3>(batch, 10, 1), {}) > 0 ? 0
                                                                                                                    : 1;
  double const best = fit(data::cifar10(argv[1]), data::cifar10(argv[1], data::cifar_part::test),
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
