// SPDX-License-Identifier: BSD-3-Clause
// Steps of AdamW of GPT-2 with 124 million parameters, of random tokens: what a step takes. Page:
// docs/examples/16_gpt2_124m.md
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "models/gpt2.hpp"

using namespace etna;

constexpr auto rule = optim::adamw(1e-3);

template <models::gpt2_config C, extent Batch> struct training {
  using net = models::gpt2<float, C>;
  using text = array<int, C.positions>;
  using texts = array<int, Batch, C.positions>;
  using state = optim::state_of<rule, net>;

  static constexpr auto step = jit([](net p, state s, texts const& x) {
    auto [value, gradient] = value_and_grad(models::gpt2_loss)(p, x);
    auto [updates, next] = rule.update(gradient, s, p);
    return std::tuple{optim::apply_updates(p, updates), next, value};
  });

  static int run(int steps) {
    // Forward and backward, two operations for each multiply-add of the products.
    double const flops = 3 * double(Batch) * double(nn::product_flops<net, text>());
    std::printf("%lld parameters, %.4g GFLOP a step\n", static_cast<long long>(nn::parameter_count<net>()),
                flops * 1e-9);
    auto p = nn::init<net>(random::key(0));
    auto s = rule.init(p);
    auto const x = random::randint<int, Batch, C.positions>(random::key(1), 0, int(C.words));
    float first = 0, last = 0;
    for (int i = 0; i < steps; ++i) {
      auto const start = std::chrono::steady_clock::now();
      array<float> value;
      std::tie(p, s, value) = step(std::move(p), std::move(s), x);
      double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      last = value.item();
      if (i == 0) first = last;
      std::printf("step %d  loss %.4f  %.4f s  %.1f GFLOP/s\n", i + 1, last, seconds, flops / seconds * 1e-9);
      std::fflush(stdout);
    }
    return last < first ? 0 : 1;  // the same text each time
  }
};

// 16_gpt2_124m [STEPS]: two steps of a small one; compiled with -DFULL_SIZE, of the 124 million parameters.
#if defined(FULL_SIZE)
using sized = training<models::gpt2_124m, 1>;
#else
using sized = training<models::gpt2_config{50, 32, 32, 2, 2}, 2>;
#endif
int main(int argc, char** argv) { return sized::run(argc > 1 ? std::atoi(argv[1]) : 2); }
