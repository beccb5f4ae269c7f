// SPDX-License-Identifier: BSD-3-Clause
// A meter for training loops: how long a step takes once all is warm, what the loop around the steps adds, and how much
// of that is waiting for data.
// Read next: checkpoint.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace etna::data {

/// Times the steps of a loop, without the first ones, which read memory and code for the first time:
///
///     data::meter meter;
///     for (...) { meter.go(); shuffle(...); for (auto rows : ...) { ...; loss = meter.step([&] { return step(...); });
///     } } puts(meter.text(32, plan_type<decltype(step)>::flops).c_str());
///
/// or, over a pipeline, with what the loop waits for the next batch:
///
///     for (auto const& [x, y] : meter.waits(train.epoch(e))) loss = meter.step([&] { return step(x, y); });
///
/// Clock   as those of std::chrono
/// cost    two readings of the clock and one number a step
/// example test/unit/data/meter.cpp  [by a clock that is set]
template <class Clock = std::chrono::steady_clock> class meter {
 public:
  /// skip: how many steps are not counted.
  explicit meter(int skip = 10) : skip_(skip) {}

  /// The loop goes on here: what was since the last step (a validation, say) does not count, what comes now does.
  void go() {
    last_ = Clock::now();
    waited_ = 0;
    going_ = true;
  }
  /// Run and time a step; returns what it returns.
  template <std::invocable F> decltype(auto) step(F&& f) {
    if (!going_) go();
    lap const time{*this, Clock::now()};
    return std::forward<F>(f)();
  }

  /// Run f, and count its time as waiting for data; returns what it returns.
  template <std::invocable F> decltype(auto) wait(F&& f) {
    if (!going_) go();
    pause const time{*this, Clock::now()};
    return std::forward<F>(f)();
  }
  /// An input range (an epoch of a pipeline) whose elements are waited for by this meter.
  template <std::ranges::input_range Range> auto waits(Range&& range) {
    return waited<Range>{*this, std::forward<Range>(range)};
  }

  /// Steps counted.
  std::size_t steps() const { return seconds_.size(); }
  /// Seconds of a step; 0 where none is counted.
  double mean() const { return steps() ? sum() / double(steps()) : 0; }
  double median() const {
    if (!steps()) return 0;
    auto sorted = seconds_;
    std::sort(sorted.begin(), sorted.end());
    return (sorted[(steps() - 1) / 2] + sorted[steps() / 2]) / 2;
  }
  /// Seconds of the counted steps and of what comes between them: reading, shuffling.
  double whole() const { return whole_; }
  /// whole() to the steps alone: 1 where nothing comes between.
  double overhead() const { return sum() > 0 ? whole_ / sum() : 1; }
  /// Seconds of whole() in which the loop was in no step and waited for data, as wait() and waits() saw it.
  double waiting() const { return waiting_; }
  /// waiting() to whole(): 0 where nothing is waited for.
  double waiting_share() const { return whole_ > 0 ? waiting_ / whole_ : 0; }
  /// Examples a second in the whole loop, of so many in a step.
  double examples_per_second(double in_a_step) const { return whole_ > 0 ? in_a_step * double(steps()) / whole_ : 0; }
  /// Operations a second in the steps alone, of so many in one (plan_type<decltype(step)>::flops).
  double flops_per_second(double in_a_step) const { return sum() > 0 ? in_a_step * double(steps()) / sum() : 0; }

  /// All this on a line.
  std::string text(double examples_in_a_step, double flops_in_a_step) const {
    char line[200];
    std::snprintf(
        line, sizeof line,
        "%zu steps: mean %.0f us, median %.0f us, %.1f GFLOP/s; %.0f examples/s, the loop takes %.2f times its steps",
        steps(), 1e6 * mean(), 1e6 * median(), 1e-9 * flops_per_second(flops_in_a_step),
        examples_per_second(examples_in_a_step), overhead());
    std::string r = line;
    if (waits_) {
      std::snprintf(line, sizeof line, ", %.2f%% of it waiting for data", 100 * waiting_share());
      r += line;
    }
    return r;
  }

 private:
  using point = typename Clock::time_point;
  // Also where a step throws, its time is taken.
  struct lap {
    meter& m;
    point begin;
    ~lap() { m.count(begin, Clock::now()); }
  };
  struct pause {
    meter& m;
    point begin;
    ~pause() {
      m.waited_ += between(begin, Clock::now());
      m.waits_ = true;
    }
  };
  // The range with the clock around begin and ++, which are what makes or awaits an element.
  template <class Range> struct waited {
    meter& m;
    Range range;
    using inner = std::ranges::iterator_t<Range>;
    struct iterator {
      using value_type = std::iter_value_t<inner>;
      using difference_type = std::ptrdiff_t;
      meter* m = nullptr;
      inner at{};
      decltype(auto) operator*() const { return *at; }
      iterator& operator++() {
        m->wait([&] { ++at; });
        return *this;
      }
      void operator++(int) { ++*this; }
      template <class End> requires requires(inner const& at, End const& end) {
        { at == end } -> std::convertible_to<bool>;
      }
      bool operator==(End const& end) const {
        return at == end;
      }
    };
    iterator begin() {
      return {&m, m.wait([&] { return std::ranges::begin(range); })};
    }
    auto end() { return std::ranges::end(range); }
  };
  int skip_;
  std::vector<double> seconds_;
  double whole_ = 0, waiting_ = 0, waited_ = 0;  // the last: since the last step
  bool waits_ = false;
  point last_{};
  bool going_ = false;

  static double between(point a, point b) { return std::chrono::duration<double>(b - a).count(); }
  double sum() const {
    double s = 0;
    for (double x : seconds_) s += x;
    return s;
  }
  void count(point begin, point end) {
    if (skip_ > 0) --skip_;
    else {
      seconds_.push_back(between(begin, end));
      whole_ += between(last_, end);
      waiting_ += waited_;
    }
    waited_ = 0;
    last_ = end;
  }
};

}  // namespace etna::data

#include <etna/set_back.hpp>
