// SPDX-License-Identifier: BSD-3-Clause
// A training run under one optimizer: epochs, validation, what is kept on disk, and how it goes on
// after it was stopped. The run depends on seed, data and options alone, not on interruptions.
// Read next: main.cpp.
#pragma once
#include <array>
#include <optional>

#include <etna/data/batch.hpp>
#include <etna/data/meter.hpp>

#include "files.hpp"
#include "history.hpp"
#include "progress.hpp"
#include "rule.hpp"

namespace example {

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
    good += correct(p, x, y).item();
  }
  return double(good) / double(std::max<std::int64_t>(of.size(), 1));
}

template <class Rule> class session {
 public:
  session(options const& o, std::uint64_t seed)
      : options_(o), out_(o.out), seed_(seed), rate_(o.rate.value_or(Rule::usual_rate)) {
    auto const p = initial_parameters(seed_);
    kept_ = {Rule::start(p), p};
  }

  void resume(std::filesystem::path const& file) {
    auto const beside = restore(kept_, file);
    auto const at = beside.find("history");
    if (at == beside.end() || !read_csv(at->second, history_))
      etna::message::raise<121>(file.string() + ": it has no history of a training run");
    std::printf("resumed after epoch %d from %s\n", epochs_done(), file.string().c_str());
  }

  /// Train until the last epoch asked for, keeping everything after each.
  void train(data::mnist const& set) {
    make_folder();
    print_heading();
    for (auto const& r : history_) {
      bool const better = r.accuracy > best_accuracy();
      if (better) best_ = r.epoch;
      print_row(r, better);
    }
    std::vector<std::uint32_t> order(set.train.labels.size());
    while (epochs_done() < options_.epochs) {
      int const epoch = epochs_done() + 1;
      meter_.go();
      data::shuffle(order, seed_, std::uint64_t(epoch));
      row r = train_epoch(set.train, order, epoch);
      r.accuracy = accuracy(kept_.now.parameters, set.validation);
      bool const better = r.accuracy > best_accuracy();
      history_.push_back(r);
      if (better) {
        best_ = epoch;
        kept_.best = kept_.now.parameters;
      }
      print_row(r, better);
      keep(better);
    }
  }

  /// Draw the history, and say how many test images the best parameters recognise.
  void finish(data::mnist const& set) const {
    std::printf("best epoch %d: validation accuracy %.2f%%, test accuracy %.2f%% of %lld images\n", best_,
                100 * best_accuracy(), 100 * accuracy(kept_.best, set.test), static_cast<long long>(set.test.size()));
    if (meter_.steps()) std::printf("%s\n", meter_.text(32, double(Rule::flops)).c_str());
    std::printf("parameters  %s\nhistory     %s\n", (out_ / "parameters.safetensors").c_str(),
                (out_ / "history.csv").c_str());
    if (draw(out_, epochs_done())) std::printf("picture     %s\n", (out_ / "history.png").c_str());
    else std::printf("no picture: gnuplot is missing or fails; try gnuplot %s\n", (out_ / "history.gp").c_str());
  }

 private:
  options const& options_;
  std::filesystem::path out_;
  std::uint64_t seed_;
  array<float> rate_;
  saved<typename Rule::state> kept_;
  history history_;
  data::meter<> meter_;
  int best_ = 0;  // the epoch of kept_.best

  int epochs_done() const { return int(history_.size()); }
  double best_accuracy() const { return best_ ? history_[std::size_t(best_ - 1)].accuracy : -1; }

  void make_folder() const {
    std::error_code why;
    std::filesystem::create_directories(out_, why);
    if (why) etna::message::raise<123>(out_.string() + " (" + why.message() + ")");
  }

  row train_epoch(data::examples const& of, std::span<std::uint32_t const> order, int epoch) {
    data::batches const all(order, 32);
    progress bar(epoch, options_.epochs, all.size(), 32);
    double total = 0;
    std::size_t done = 0;
    for (auto rows : all) {
      auto const x = images::build([&](float* out) { data::gather(of.images, 784, rows, out); });
      auto const y = labels::build([&](int* out) { data::gather(of.labels, 1, rows, out); });
      total += meter_.step([&] { return Rule::step(kept_.now, x, y, rate_); });
      ++done;
      if (!std::isfinite(total)) {
        bar.clear();
        etna::message::raise<113>("the loss in batch " + std::to_string(done) + " of epoch " + std::to_string(epoch) +
                                  " (a smaller --lr may help)");
      }
      bar.show(done, total / double(done));
    }
    return {epoch, total / double(done), 0, bar.seconds()};
  }

  void keep(bool better) const {
    char rate[40];
    std::snprintf(rate, sizeof rate, "%.9g", double(rate_.item()));
    words const beside{{"optimizer", Rule::name},
                       {"seed", std::to_string(seed_)},
                       {"rate", rate},
                       {"epoch", std::to_string(epochs_done())}};
    if (better) store(kept_.best, out_ / "parameters.safetensors", beside);
    write_text(out_ / "history.csv", csv(history_));
    auto more = beside;
    more["history"] = csv(history_);
    store(kept_, out_ / "resume.safetensors", more);
  }
};

}  // namespace example
