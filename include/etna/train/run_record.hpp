// SPDX-License-Identifier: BSD-3-Clause
// Where a training run is: epoch, batch, running means, history. All that a checkpoint keeps beside the arrays, as
// words. Read next: checkpoint_folder.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cstdint>
#include <map>

#include "history.hpp"

namespace etna::train {

/// The place of a run in its epochs, and what was said of them.
struct run_record {
  struct running {
    std::string name;
    double total = 0, count = 0, last = 0;
    double mean() const { return total / count; }
  };
  std::uint64_t step = 0;     // batches trained, in all epochs
  std::uint64_t batches = 0;  // in an epoch
  int epoch = 0;              // epochs that are over
  std::uint64_t batch = 0;    // batches trained in the one that is not
  double seconds = 0;         // of it
  std::vector<running> logged;
  std::vector<std::pair<std::string, double>> recorded;
  train::history history;
  int best_epoch = 0;           // counted from 1; 0 before there is one
  std::uint64_t best_step = 0;  // of the best checkpoint on the disk; 0 before there is one

  /// x belongs to the mean of this epoch.
  ///
  /// errors  E113 x is no number any more, E149 as history
  void log(std::string_view name, double x) {
    if (!std::isfinite(x))
      message::raise<113>(std::string(name) + " in batch " + std::to_string(batch + 1) + " of epoch " +
                          std::to_string(epoch + 1) + ", which is logged, is " + (std::isnan(x) ? "NaN" : "infinite"));
    history.column(name);
    auto at = std::find_if(logged.begin(), logged.end(), [&](auto const& r) { return r.name == name; });
    if (at == logged.end()) at = logged.insert(at, running{std::string(name)});
    at->total += x;
    at->count += 1;
    at->last = x;
  }
  /// x is the value of this epoch; of several the last one.
  void record(std::string_view name, double x) {
    history.column(name);
    for (auto& [known, value] : recorded)
      if (known == name) {
        value = x;
        return;
      }
    recorded.emplace_back(name, x);
  }
  /// The epoch is over: a row of the history.
  void close_epoch() {
    history::row r{++epoch, std::vector<double>(history.names.size(), history::missing), seconds};
    for (auto const& l : logged) r.values[history.column(l.name)] = l.mean();
    for (auto const& [name, x] : recorded) r.values[history.column(name)] = x;
    history.rows.push_back(r);
    logged.clear();
    recorded.clear();
    batch = 0;
    seconds = 0;
  }

  /// As words beside a checkpoint; each begins with "run.".
  std::map<std::string, std::string> words() const {
    std::string means, values;
    for (auto const& l : logged)
      means += l.name + "," + detail::shortest(l.total) + "," + detail::shortest(l.count) + "\n";
    for (auto const& [name, x] : recorded) values += name + "," + detail::shortest(x) + "\n";
    return {{"run.step", std::to_string(step)},
            {"run.batches", std::to_string(batches)},
            {"run.epoch", std::to_string(epoch)},
            {"run.batch", std::to_string(batch)},
            {"run.seconds", detail::shortest(seconds)},
            {"run.logged", means},
            {"run.recorded", values},
            {"run.history", history.csv()},
            {"run.best_epoch", std::to_string(best_epoch)},
            {"run.best_step", std::to_string(best_step)}};
  }
  /// Do the numbers belong together, as those of a run do?
  bool is_sound() const {
    auto const n = std::uint64_t(epoch);
    if (epoch < 0 || history.rows.size() != n || batch > batches) return false;
    if (batches > 0 ? (step < batch || (step - batch) % batches != 0 || (step - batch) / batches != n) : step != 0)
      return false;
    for (auto const& l : logged)
      if (!std::isfinite(l.total) || !(l.count >= 1) || !std::isfinite(l.count)) return false;
    if (best_epoch < 0 || best_epoch > epoch || !(seconds >= 0) || !std::isfinite(seconds)) return false;
    // the best that is written was one's end, and no later than the best that there was
    return best_step == 0 ||
           (batches > 0 && best_step % batches == 0 && best_step / batches <= std::uint64_t(best_epoch));
  }
  /// What words() made; nothing where they are not that.
  ///
  /// example test/unit/train/run_record.cpp  [words read back, to the last bit]
  static std::optional<run_record> of(std::map<std::string, std::string> const& words);
};

namespace detail {

/// The words of a record one by one; good becomes false where one is missing or is none.
struct word_reader {
  std::map<std::string, std::string> const& words;
  bool good = true;

  std::string_view text(char const* key) {
    auto const at = words.find(key);
    if (at != words.end()) return at->second;
    good = false;
    return {};
  }
  template <class T> void read(char const* key, T& to) {
    auto const s = text(key);
    auto const [end, wrong] = std::from_chars(s.data(), s.data() + s.size(), to);
    if (s.empty() || wrong != std::errc() || end != s.data() + s.size()) good = false;
  }
  /// Each line: a name and numbers.
  template <std::size_t N, class Take> void lines(char const* key, Take take) {
    auto s = text(key);
    while (!s.empty()) {
      auto line = s.substr(0, s.find('\n'));
      s.remove_prefix(std::min(line.size() + 1, s.size()));
      auto const name = cell_of(line);
      double x[N];
      for (auto& one : x) {
        auto const read = number_in(cell_of(line));
        if (!read) good = false;
        one = read.value_or(0);
      }
      if (!history::is_name(name)) good = false;
      else take(std::string(name), x);
    }
  }
};

}  // namespace detail

inline std::optional<run_record> run_record::of(std::map<std::string, std::string> const& words) {
  run_record r;
  detail::word_reader from{words};
  from.read("run.step", r.step);
  from.read("run.batches", r.batches);
  from.read("run.epoch", r.epoch);
  from.read("run.batch", r.batch);
  from.read("run.seconds", r.seconds);
  from.read("run.best_epoch", r.best_epoch);
  from.read("run.best_step", r.best_step);
  from.lines<2>("run.logged", [&](std::string name, double const* x) {
    r.logged.push_back({std::move(name), x[0], x[1], x[0] / x[1]});
  });
  from.lines<1>("run.recorded",
                [&](std::string name, double const* x) { r.recorded.emplace_back(std::move(name), x[0]); });
  auto const table = history::read_csv(from.text("run.history"));
  if (!table || !from.good) return std::nullopt;
  r.history = *table;
  if (!r.is_sound()) return std::nullopt;
  return r;
}

}  // namespace etna::train

#include <etna/set_back.hpp>
