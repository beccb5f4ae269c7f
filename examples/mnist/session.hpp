// SPDX-License-Identifier: BSD-3-Clause
// A training run under one optimizer: batches, validation, and the loop around the steps (etna/train). The run depends
// on seed, data and options alone, not on interruptions.
// Read next: main.cpp.
#pragma once
#include <algorithm>
#include <ranges>

#include <etna/data/batch.hpp>
#include <etna/data/meter.hpp>
#include <etna/data/shuffle.hpp>
#include <etna/train/training_loop.hpp>

#include "files.hpp"
#include "rule.hpp"

namespace example {

/// Batches of 32 images, in an order that the seed and the epoch say.
struct mnist_batches {
  data::examples const& of;
  std::uint64_t seed;

  std::size_t size() const { return of.labels.size() / 32; }
  auto epoch(std::uint64_t e, std::size_t first = 0) const {
    auto order = data::shuffled(of.labels.size(), seed, e + 1);
    return std::views::iota(first, size()) | std::views::transform([this, order = std::move(order)](std::size_t k) {
             auto const rows = data::batches(order, 32)[k];
             return std::pair{images::build([&](float* out) { data::gather(of.images, 784, rows, out); }),
                              labels::build([&](int* out) { data::gather(of.labels, 1, rows, out); })};
           });
  }
};

inline double accuracy(mlp const& p, data::examples const& of) {
  constexpr std::int64_t size = 500;
  std::int64_t good = 0;
  for (std::int64_t begin = 0; begin < of.size(); begin += size) {
    auto const part = of.slice(begin, std::min(begin + size, of.size()));
    auto x = array<float, size, 784>::build([&](float* out) {
      std::fill_n(out, size * 784, 0.0f);
      for (std::size_t i = 0; i < part.images.size(); ++i) out[i] = float(part.images[i]) / 255.0f;
    });
    auto y = array<int, size>::build([&](int* out) {
      std::fill_n(out, size, -1);
      std::copy(part.labels.begin(), part.labels.end(), out);
    });
    good += recognised(p, x, y);
  }
  return double(good) / double(std::max<std::int64_t>(of.size(), 1));
}

/// What the loop is told: without --resume a run begins anew.
template <class Rule> train::loop_options told(options const& o, float rate) {
  train::loop_options t;
  t.folder = o.out;
  t.epochs = o.epochs;
  t.save_every = 500;
  t.monitor = "validation_accuracy";
  t.flops = Rule::flops();
  t.examples = 32;
  t.resume = o.resume;
  t.from = o.resume_file;
  t.overwrite = !o.resume || !o.resume_file.empty();
  t.metadata = words_of(Rule::name, o.seed.value_or(0), rate);
  return t;
}

/// Train, and say how it went.
template <class Rule> void train_on(data::mnist const& set, options const& o) {
  float const rate = float(o.rate.value_or(Rule::usual_rate));
  auto s = Rule::start(o.seed.value_or(0));
  mnist_batches batches{set.train, o.seed.value_or(0)};
  train::loop run(s, batches, told<Rule>(o, rate));
  data::meter<> meter;
  for (auto& [x, y] : run) {
    run.log("train_loss", meter.step([&] { return Rule::step(s, x, y, array<float>(rate)); }));
    if (!run.epoch_ends()) continue;
    run.record("validation_accuracy", accuracy(s.parameters, set.validation));
    meter.go();
  }
  auto best = s;
  if (auto const file = run.best(); !file.empty()) data::load(best, file);  // empty: somebody removed it
  std::filesystem::path const out = o.out;
  data::save(best.parameters, out / "parameters.safetensors", words_of(Rule::name, batches.seed, rate));
  std::printf("best epoch %d: validation accuracy %.2f%%, test accuracy %.2f%% of %lld images\n", run.best_epoch(),
              100 * run.history().value(run.best_epoch(), "validation_accuracy"),
              100 * accuracy(best.parameters, set.test), static_cast<long long>(set.test.size()));
  if (meter.steps()) std::printf("%s\n", meter.text(32, Rule::flops()).c_str());
  std::printf("parameters  %s\nhistory     %s\n", (out / "parameters.safetensors").c_str(),
              (out / "history.csv").c_str());
  if (run.has_picture()) std::printf("picture     %s\n", (out / "history.png").c_str());
  else std::printf("no picture: gnuplot is missing or fails; try gnuplot %s\n", (out / "history.gp").c_str());
}

}  // namespace example
