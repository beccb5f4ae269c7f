// SPDX-License-Identifier: BSD-3-Clause
// 500 steps of Adam of a small vision transformer on Fashion-MNIST, with parameters of f32 and computed in f32, in
// bf16 and in f16: losses, smoothed over 50 steps, and how far those of 16 bits are from those of f32; also of f32 once
// more, from parameters that are an ulp larger: training makes so much of any rounding. f16 has a dynamic loss scale
// that begins where gradients overflow. Exit status 1 where the mean loss in bf16 is more than 1% off, or a step that
// overflowed was not left out. Run: bench_mixed FOLDER-OF-FASHION-MNIST [STEPS]
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

constexpr auto optimizer = optim::adam(0.001);
/// Parameters, Adam's state and the scale: all that a step hands on.
template <class Scale> struct trained {
  net parameters;
  optim::state_of<optimizer, net> state;
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
  auto [updates, state] = optimizer.update(gradient, t.state);
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
  auto const state = optimizer.init(p);
  auto const next = tree::map([](auto const& x) { return x * 1.0000001f; }, p);
  struct {
    char const* name;
    std::vector<double> losses;
  } const all[] = {{"f32", losses<float>(data, steps, fixed{p, state, {}})},
                   {"f32, an ulp", losses<float>(data, steps, fixed{next, state, {}})},
                   {"bf16", losses<bfloat16>(data, steps, fixed{p, state, {}})},
                   {"f16", losses<float16>(data, steps, scaled{p, state, {float(1 << 24)}})}};
  auto mean_of = [&](std::vector<double> const& l, int from, int n) {
    double sum = 0;
    for (int k = from; k < from + n; ++k) sum += l[std::size_t(k)];
    return sum / n;
  };
  std::printf("mean loss of %d steps\n from", window);
  for (auto const& run : all) std::printf("  %11s", run.name);
  for (int s = 0; s + window <= steps; s += window) {
    std::printf("\n%5d", s);
    for (auto const& run : all) std::printf("  %11.5f", mean_of(run.losses, s, window));
  }
  std::printf("\n  all");
  for (auto const& run : all) std::printf("  %11.5f", mean_of(run.losses, 0, steps));
  std::printf("\nlargest difference from f32, of %d steps and of all:\n", window);
  double const first = mean_of(all[0].losses, 0, steps);
  for (auto const& run : all) {
    double worst = 0, whole = std::abs(mean_of(run.losses, 0, steps) / first - 1);
    for (int s = 0; s + window <= steps; ++s)
      worst = std::max(worst, std::abs(mean_of(run.losses, s, window) / mean_of(all[0].losses, s, window) - 1));
    std::printf("%11s  %6.2f%%  %6.2f%%\n", run.name, 100 * worst, 100 * whole);
    if (run.name == all[2].name) good = good && whole < 0.01;
  }
  return good ? 0 : 1;
}
