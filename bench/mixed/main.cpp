// SPDX-License-Identifier: BSD-3-Clause
// 500 steps of Adam of a small vision transformer on Fashion-MNIST, with parameters of f32 and computed in f32, in bf16
// and in f16: losses, smoothed over 50 steps, and how far those of 16 bits are from those of f32. f16 has a dynamic loss
// scale that begins where gradients overflow. Exit status 1 where a loss in bf16 is more than 1% off, or a step that overflowed
// was not left out. Run: bench_mixed FOLDER-OF-FASHION-MNIST [STEPS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <etna/etna.hpp>
#include <etna/data/mnist.hpp>
#include <etna/nn/loss_scale.hpp>
#include <etna/optim/adam.hpp>

#include "../run/transformer.hpp"

namespace {

using namespace bench;
using net = vit_small;

/// Parameters, Adam's state and the scale: all that a step hands on.
template <class Scale> struct trained {
  net parameters;
  optim::adam_state<net> state;
  Scale scale;
};
using fixed = trained<nn::no_loss_scale>;
using scaled = trained<nn::dynamic_loss_scale<>>;

/// {what is next, the loss, was the gradient finite?}
template <class Compute, class T> constexpr auto step = jit([](T t, net::input x, net::labels y) {
  auto loss = [](net const& p, auto const& scale, auto const& x, auto const& y) {
    auto value = network_loss<Compute>(p, x, y);
    return std::pair{scale.scale(value), value};
  };
  auto [values, scaled_gradient] = value_and_grad(loss, has_aux)(t.parameters, t.scale, x, y);
  auto gradient = t.scale.unscale(scaled_gradient);
  auto finite = nn::all_finite(gradient);
  auto [updates, state] = optim::adam{0.001f}.update(gradient, t.state);
  auto p = optim::apply_updates(t.parameters, updates);
  return std::tuple{
      T{nn::select_tree(finite, p, t.parameters), nn::select_tree(finite, state, t.state), t.scale.adjust(finite)},
      values.second, finite};
});

struct batches {
  data::image_set all;
  net::input pictures(int s) const {
    auto const part = data::scaled(all.all().slice(64 * s, 64 * (s + 1)).images);
    return net::input::build([&](float* out) { std::copy(part.begin(), part.end(), out); });
  }
  net::labels labels(int s) const {
    auto const part = all.all().slice(64 * s, 64 * (s + 1)).labels;
    return net::labels::build([&](int* out) { std::copy(part.begin(), part.end(), out); });
  }
};

template <class A> bool same(A const& a, A const& b) {
  bool same = true;
  (void)tree::map(
      [&](auto const& x, auto const& y) {
        same = same && std::equal(x.data(), x.data() + x.size(), y.data());
        return x;
      },
      a, b);
  return same;
}

bool good = true;
template <class Compute, class T> std::vector<double> losses(batches const& data, int steps, T t) {
  std::vector<double> all;
  int left_out = 0;
  for (int s = 0; s < steps; ++s) {
    auto const before = t;
    auto [next, loss, finite] = step<Compute, T>(t, data.pictures(s), data.labels(s));
    if (!finite) {
      ++left_out;
      bool const kept = same(next.parameters, before.parameters) && same(next.state, before.state);
      if constexpr (std::is_same_v<T, scaled>) {
        double const was = before.scale.loss_scale.item(), is = next.scale.loss_scale.item();
        std::printf("step %d overflowed: scale %g -> %g, parameters and state %s\n", s, was, is,
                    kept ? "as before" : "CHANGED");
        good = good && is == was / 2;
      }
      good = good && kept;
    }
    t = next;
    all.push_back(loss.item());
  }
  std::printf("%d steps left out\n", left_out);
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_mixed FOLDER-OF-FASHION-MNIST [STEPS]\n");
    return 2;
  }
  int const steps = argc > 2 ? std::atoi(argv[2]) : 500, window = 50;
  batches const data{data::read_images(argv[1], "train", 10)};
  net const p = nn::init<net>(random::key(0));
  auto const state = optim::adam<float>::init(p);
  std::vector<double> const all[] = {losses<float>(data, steps, fixed{p, state, {}}),
                                     losses<bfloat16>(data, steps, fixed{p, state, {}}),
                                     losses<float16>(data, steps, scaled{p, state, {float(1 << 24)}})};
  auto smooth = [&](std::vector<double> const& l, int s) {
    double sum = 0;
    for (int k = s; k < s + window; ++k) sum += l[std::size_t(k)];
    return sum / window;
  };
  std::printf("mean loss of %d steps\n from       f32      bf16       f16\n", window);
  double worst[2]{};
  for (int s = 0; s + window <= steps; ++s) {
    double const f32 = smooth(all[0], s);
    for (int k : {0, 1}) worst[k] = std::max(worst[k], std::abs(smooth(all[k + 1], s) / f32 - 1));
    if (s % window == 0) std::printf("%5d  %8.5f  %8.5f  %8.5f\n", s, f32, smooth(all[1], s), smooth(all[2], s));
  }
  std::printf("largest difference: bf16 %.2f%%, f16 %.2f%%\n", 100 * worst[0], 100 * worst[1]);
  return good && worst[0] < 0.01 ? 0 : 1;
}
