// SPDX-License-Identifier: BSD-3-Clause
// A line that shows how far a run is; nothing where it does not go to a terminal. Read next: picture_of_run.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <chrono>
#include <cstdio>

#include <unistd.h>

#include "loop_options.hpp"
#include "run_record.hpp"

namespace etna::train {

/// What one batch is worth, for the line: examples, operations, and what the machine could do in a second; 0: not
/// known.
struct batch_worth {
  double examples = 0, flops = 0, peak = 0;
};

namespace detail {

/// 7 s, 2:05, 1:02:03.
inline std::string clock_text(double seconds) {
  char text[40];
  long long const s = std::llround(std::min(std::max(seconds, 0.0), 1e12));
  if (s >= 3600) std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
  else if (s >= 60) std::snprintf(text, sizeof text, "%lld:%02lld", s / 60, s % 60);
  else std::snprintf(text, sizeof text, "%lld s", s);
  return text;
}
inline std::string four_digits(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

}  // namespace detail

/// epoch 3/12  loss 0.1234  accuracy 0.981  3.2 s  best: the last row of a history.
inline std::string line_of(history const& h, int epochs, bool best) {
  auto const& r = h.rows.back();
  std::string s = "epoch " + std::to_string(r.epoch) + "/" + std::to_string(epochs);
  for (std::size_t i = 0; i < h.names.size(); ++i)
    if (!std::isnan(r.values[i])) s += "  " + h.names[i] + " " + detail::four_digits(r.values[i]);
  char text[40];
  std::snprintf(text, sizeof text, "  %.2f s", r.seconds);
  return s + text + (best ? "  best" : "");
}

/// Where a run goes on, or that nothing is left of it: a program that was started again says which of the two it does.
inline std::string where_text(run_record const& r, loop_options const& o, bool over) {
  auto const from = (o.from.empty() ? o.folder : o.from).string();
  if (!over)
    return "goes on at epoch " + std::to_string(r.epoch + 1) + "/" + std::to_string(o.epochs) + ", step " +
           std::to_string(r.step) + ", from " + from;
  return "nothing to do: the run of " + from +
         (r.epoch >= o.epochs ? " has " + std::to_string(r.epoch) + " epochs; "
                              : " ended by its patience after epoch " + std::to_string(r.epoch) + "; ") +
         "give more .epochs, another .folder, or .resume = false with .overwrite = true";
}

/// epoch 2/12 [====    ]  40%  loss 0.4312  rate 0.001  54233 examples/s  93.8 GFLOP/s (79% of peak)  0:41 left
///
/// Clock   as those of std::chrono
/// example test/unit/train/progress_bar.cpp  [by a clock that is set]
template <class Clock = std::chrono::steady_clock> class progress_bar {
 public:
  explicit progress_bar(std::FILE* to, bool shown) : to_(to), shown_(shown) {}
  progress_bar(progress_bar const&) = delete;
  ~progress_bar() { clear(); }

  bool is_shown() const { return shown_; }
  /// Batches that come now are counted from here: what a resumed epoch had before does not count as speed.
  void go(run_record const& r) {
    start_ = Clock::now();
    first_ = r.batch;
  }
  /// Seconds since go.
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  /// Drawn ten times a second.
  void show(run_record const& r, int epochs, batch_worth const& worth) {
    if (!shown_ || Clock::now() < next_) return;
    next_ = Clock::now() + std::chrono::milliseconds(100);
    std::fprintf(to_, "\r%s\x1b[K", text(r, epochs, worth).c_str());
    std::fflush(to_);
    drawn_ = true;
  }
  void clear() {
    if (drawn_) std::fputs("\r\x1b[K", to_), std::fflush(to_);
    drawn_ = false;
  }
  std::string text(run_record const& r, int epochs, batch_worth const& worth) const {
    constexpr std::uint64_t width = 20;
    auto const done = r.batches ? width * r.batch / r.batches : 0;
    std::string s = "epoch " + std::to_string(r.epoch + 1) + "/" + std::to_string(epochs) + " [" +
                    std::string(done, '=') + std::string(width - done, ' ') + "] ";
    char text[96];
    std::snprintf(text, sizeof text, "%3d%%", r.batches ? int(100 * r.batch / r.batches) : 0);
    s += text;
    for (auto const& l : r.logged)  // a rate as it is now, others as their mean
      s += "  " + l.name + " " + detail::four_digits(l.name == "rate" ? l.last : l.mean());
    double const in_a_second = double(r.batch - first_) / std::max(seconds(), 1e-9);
    if (in_a_second <= 0) return s;
    if (worth.examples > 0) {
      std::snprintf(text, sizeof text, "  %.0f examples/s", worth.examples * in_a_second);
      s += text;
    }
    if (worth.flops > 0) {
      std::snprintf(text, sizeof text, "  %.1f GFLOP/s", 1e-9 * worth.flops * in_a_second);
      s += text;
      std::snprintf(text, sizeof text, " (%.0f%% of peak)", 100 * worth.flops * in_a_second / worth.peak);
      if (worth.peak > 0) s += text;
    }
    auto const left = double(epochs - r.epoch) * double(r.batches) - double(r.batch);
    return s + "  " + detail::clock_text(left / in_a_second) + " left";
  }

 private:
  std::FILE* to_;
  bool shown_, drawn_ = false;
  typename Clock::time_point start_ = Clock::now(), next_ = start_;
  std::uint64_t first_ = 0;
};

}  // namespace etna::train

#include <etna/set_back.hpp>
