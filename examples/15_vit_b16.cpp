// SPDX-License-Identifier: BSD-3-Clause
// Steps of SGD of ViT-B/16 or a larger one, of random pictures: what a step takes. Page: docs/examples/15_vit_b16.md
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "models/vit.hpp"

using namespace etna;

template <models::vit_config C, extent Batch> struct training {
  using net = models::vit<float, C>;
  using picture = array<float, C.image, C.image, C.channels>;
  using pictures = array<float, Batch, C.image, C.image, C.channels>;
  using labels = array<int, Batch>;

  static constexpr auto step = jit([](net p, pictures const& x, labels const& y) {
    auto [value, gradient] = value_and_grad(models::vit_loss)(p, x, y);
    auto const rule = optim::sgd(1e-3);
    return std::pair{optim::apply_updates(p, rule.update(gradient, rule.init(p)).first), value};
  });

  static int run(int steps) {
    // Forward and backward, two operations for each multiply-add of the products.
    double const flops = 3 * double(Batch) * double(nn::product_flops<net, picture>());
    std::printf("%lld parameters, %.4g GFLOP a step\n", static_cast<long long>(nn::parameter_count<net>()),
                flops * 1e-9);
    auto p = nn::init<net>(random::key(0));
    pictures const x = random::normal<float, Batch, C.image, C.image, C.channels>(random::key(1));
    labels const y = random::randint<int, Batch>(random::key(2), 0, int(C.labels));
    float first = 0, last = 0;
    for (int i = 0; i < steps; ++i) {
      auto const start = std::chrono::steady_clock::now();
      array<float> value;
      std::tie(p, value) = step(std::move(p), x, y);
      double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      last = value.item();
      if (i == 0) first = last;
      std::printf("step %d  loss %.4f  %.4f s  %.1f GFLOP/s\n", i + 1, last, seconds, flops / seconds * 1e-9);
      std::fflush(stdout);
    }
    return last < first ? 0 : 1;  // the same pictures each time
  }
};

// 15_vit_b16 [STEPS]: two steps of a small one; compiled with -DFULL_SIZE of B/16 with a batch of 32, with
// -DFULL_SIZE=vit_l16 -DBATCH=1 of another size.
#if !defined(FULL_SIZE)
using sized = training<models::vit_config{32, 8, 3, 32, 64, 2, 2, 10}, 4>;
#elif defined(BATCH)
using sized = training<models::FULL_SIZE, BATCH>;
#else
using sized = training<models::vit_b16, 32>;
#endif
int main(int argc, char** argv) { return sized::run(argc > 1 ? std::atoi(argv[1]) : 2); }
