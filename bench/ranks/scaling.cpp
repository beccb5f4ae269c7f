// SPDX-License-Identifier: BSD-3-Clause
// ViT-L/16 trained data parallel by SGD on 1 to 4,096 ranks, on paper: its plan, which is not run, on a machine that is
// stated. Run: scaling
#include <cstdio>

#include <etna/dist/pmap.hpp>
#include <etna/dist/predict.hpp>

#include "models/vit.hpp"

using namespace etna;

namespace {

template <models::vit_config C> struct training {
  using net = models::vit<float, C>;
  using pictures = array<float, "batch"_n, C.image, C.image, C.channels>;
  using labels = array<int, "batch"_n>;
  static constexpr auto step = dist::pmap<"data"_n>([](net p, pictures const& x, labels const& y) {
    auto const [value, gradient] = value_and_grad(models::vit_loss)(p, x, y);
    auto const rule = optim::sgd(1e-3);
    auto const updates = rule.update(pmean<"data"_n>(gradient), rule.init(p)).first;
    return std::pair{optim::apply_updates(p, updates), pmean<"data"_n>(value)};
  });
  static dist::prediction on(dist::machine const& m, int ranks, extent pictures_a_rank) {
    return dist::predict<net, pictures, labels>(step, m, ranks, {{"batch"_n, pictures_a_rank}});
  }
};
using large = training<models::vit_l16>;

/// A core of the AMD machine of docs/performance.md, two a node; InfiniBand of 100 Gbit/s.
dist::machine of_cores() {
  dist::machine m;
  m.name = "cores of 110 GFLOP/s and 22.5 GB/s, two a node, 100 Gbit/s between nodes";
  m.product_f32 = 110e9, m.product_f64 = 55e9;
  m.kernel_f32 = 118e9, m.kernel_f64 = 59e9;
  m.memory = 22.5e9;
  m.inside = {0.5e-6, 8e9};
  m.between = {1.5e-6, 12.5e9};
  m.ranks_a_node = 2;
  m.added = m.memory / 3;
  return m;
}
/// The same program on accelerators of our days: products at 100 TFLOP/s, eight a node, each with its own way out.
dist::machine of_accelerators() {
  dist::machine m;
  m.name = "accelerators of 100 TFLOP/s and 2 TB/s, eight a node, 1.6 Tbit/s between nodes";
  m.product_f32 = 100e12, m.product_f64 = 50e12;
  m.kernel_f32 = 20e12, m.kernel_f64 = 10e12;
  m.memory = 2e12;
  m.launch = 5e-6;
  m.inside = {3e-6, 300e9};
  m.between = {5e-6, 200e9};
  m.ranks_a_node = 8;
  m.added = m.memory / 3;
  return m;
}

/// A row for each number of ranks, and the last one whose efficiency is a half at least.
template <class Batch> void table(dist::machine const& m, char const* what, Batch const& batch_on) {
  std::printf(
      "\n%s\n\n| ranks | pictures a rank | a step | computing | waiting | efficiency | memory a rank | messages a rank "
      "| bound by |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n",
      what);
  double one = 0;
  int last = 0;
  for (int ranks = 1; ranks <= 4096; ranks *= 2) {
    extent const batch = batch_on(ranks);
    dist::prediction const p = large::on(m, ranks, batch);
    double const a_second = double(batch * ranks) / p.seconds;
    if (ranks == 1) one = a_second;
    double const efficiency = a_second / one / ranks;
    if (efficiency >= 0.5) last = ranks;
    std::printf("| %d | %d | %s | %s | %s | %.1f%% | %s | %s | %s |\n", ranks, int(batch),
                dist::detail::time_text(p.seconds).c_str(), dist::detail::time_text(p.computing).c_str(),
                dist::detail::time_text(p.waiting).c_str(), 100 * efficiency,
                exec::engineering(double(p.peak_bytes), "B").c_str(), exec::engineering(p.messages(), "").c_str(),
                p.bound());
  }
  std::printf("\nefficiency is a half or more up to %d ranks\n", last);
}
void tables(dist::machine const& m) {
  std::printf("\n%s\n", m.name.c_str());
  table(m, "8 pictures a rank", [](int) { return extent(8); });
  table(m, "4,096 pictures a step", [](int ranks) { return extent(4096 / ranks); });
}

}  // namespace

int main() {
  // one rank, to be seen beside what docs/examples/15_vit_b16.md has measured
  std::printf("L/16, one picture: %s\n", dist::detail::time_text(large::on(of_cores(), 1, 1).seconds).c_str());
  std::printf("B/16, 32 pictures: %s\n",
              dist::detail::time_text(training<models::vit_b16>::on(of_cores(), 1, 32).seconds).c_str());
  std::printf("on paper: %lld parameters\n\n", static_cast<long long>(nn::parameter_count<large::net>()));
  std::fputs(large::on(of_cores(), 1, 1).text().c_str(), stdout);
  std::fputs(large::on(of_cores(), 4096, 1).text().c_str(), stdout);
  tables(of_cores());
  tables(of_accelerators());
  std::fputs(large::on(of_accelerators(), 1024, 4).text().c_str(), stdout);
}
