// SPDX-License-Identifier: BSD-3-Clause
// What the published vision transformers take, known while this compiles and without a step being run: parameters,
// operations, memory with and without recomputation, and what an epoch costs. Page: docs/examples/23_vit_sizes.md
#include <cstdio>
#include <cstdlib>

#include <etna/exec/fit.hpp>
#include <etna/exec/machine.hpp>
#include <etna/exec/price.hpp>

#include "models/vit.hpp"

using namespace etna;

constexpr extent batch = 32, images_of_an_epoch = 1281167;  // ImageNet's

template <models::vit_config C, class Keep>
constexpr auto loss = [](models::vit<float, C> const& p, array<float, batch, C.image, C.image, C.channels> const& x,
                         array<int, batch> const& y) {
  auto logits = vmap<none, 0>([](auto const& p, auto const& x) { return p(x, Keep{}); })(p, x);
  return mean(softmax_cross_entropy(logits, y));
};
// A step of SGD.
template <models::vit_config C, class Keep> constexpr auto step =
    jit([](models::vit<float, C> p, array<float, batch, C.image, C.image, C.channels> x, array<int, batch> y) {
      auto [value, gradient] = value_and_grad(loss<C, Keep>)(p, x, y);
      return std::pair{tree::map([](auto const& a, auto const& g) { return a - 1e-3f * g; }, p, gradient), value};
    });

template <models::vit_config C> void print(char const* name, machine_price const& on) {
  using net = models::vit<float, C>;
  using keeps = plan_type<decltype(step<C, keep_all_t>)>;
  using again = plan_type<decltype(step<C, keep_none_t>)>;
  auto const tera = 3e-12 * double(nn::product_flops<net, array<float, C.image, C.image, C.channels>>());
  auto const cost = cost_of_epoch<keeps>(on, images_of_an_epoch, batch);
  std::printf("%-5s %7.1f M  %6.3f TFLOP  %7.2f GiB  %6.2f GiB with keep_none  %8.0f images/h  %10.0f an epoch\n", name,
              double(nn::parameter_count<net>()) * 1e-6, tera, double(keeps::peak_bytes) / GiB,
              double(again::peak_bytes) / GiB, cost.examples_an_hour, cost.money);
}

// 23_vit_sizes [PRICE GFLOPS]: the price of an hour of a machine, and what it reaches; without them 1, and the
// measured peak of this one.
int main(int argc, char** argv) {
  machine_price const on{"", argc > 2 ? std::atof(argv[1]) : 1.0,
                         argc > 2 ? 1e9 * std::atof(argv[2]) : exec::limits().fma_f32};
  std::printf("batches of %lld pictures of 224 x 224; %.0f GFLOP/s, %.2f an hour\n", static_cast<long long>(batch),
              on.flops_per_second * 1e-9, on.an_hour);
  print<models::vit_b16>("B/16", on);
  print<models::vit_l16>("L/16", on);
  print<models::vit_h14>("H/14", on);
  print<models::vit_g14>("g/14", on);
  print<models::vit_gigantic14>("G/14", on);
}
