// SPDX-License-Identifier: BSD-3-Clause
// The meter of a training loop, by a clock that the test sets.
#include <doctest/doctest.h>

#include <stdexcept>

#include <etna/data/meter.hpp>

namespace {
struct set_clock {
  using duration = std::chrono::microseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<set_clock>;
  static constexpr bool is_steady = true;
  static inline time_point now_{};
  static time_point now() { return now_; }
  static void pass(int us) { now_ += duration(us); }
};
using meter = etna::data::meter<set_clock>;
}  // namespace

TEST_CASE("by a clock that is set") {
  meter m(2);
  auto step = [&](int reading, int us) {
    set_clock::pass(reading);
    return m.step([&] {
      set_clock::pass(us);
      return us;
    });
  };
  CHECK(step(0, 5000) == 5000);  // the first two are warm-up
  step(7, 900);
  CHECK(m.steps() == 0);
  CHECK(m.mean() == 0);
  CHECK(m.median() == 0);
  CHECK(m.overhead() == 1);
  step(10, 100);
  step(20, 300);
  step(30, 200);
  step(40, 1000);
  CHECK(m.steps() == 4);
  CHECK(m.mean() == doctest::Approx(400e-6));
  CHECK(m.median() == doctest::Approx(250e-6));
  CHECK(m.whole() == doctest::Approx(1700e-6));
  CHECK(m.overhead() == doctest::Approx(1700.0 / 1600));
  CHECK(m.examples_per_second(32) == doctest::Approx(4 * 32 / 1700e-6));
  CHECK(m.flops_per_second(1000) == doctest::Approx(1000 / 400e-6));
  CHECK(m.text(32, 1e6) ==
        "4 steps: mean 400 us, median 250 us, 2.5 GFLOP/s; 75294 examples/s, the loop takes 1.06 times its steps");
}

TEST_CASE("what is between two parts of a loop does not count, what comes after go does") {
  meter m(0);
  m.go();
  set_clock::pass(50);  // shuffling
  m.step([] { set_clock::pass(100); });
  set_clock::pass(100000);  // validation
  m.go();
  set_clock::pass(50);
  m.step([] { set_clock::pass(100); });
  CHECK(m.whole() == doctest::Approx(300e-6));
  CHECK(m.overhead() == doctest::Approx(1.5));
}

namespace {
template <class F> concept timed = requires(meter& m, F f) { m.step(f); } && requires(meter& m, F f) { m.wait(f); };
}  // namespace
static_assert(timed<int (*)()> && !timed<int> && !timed<int (*)(int)>);

TEST_CASE("a loop that begins with a step counts from there, and a step that throws counts") {
  meter m(0);
  set_clock::pass(1000);
  CHECK_THROWS(m.step([]() -> int {
    set_clock::pass(10);
    throw std::runtime_error("stop");
  }));
  CHECK(m.steps() == 1);
  CHECK(m.whole() == doctest::Approx(10e-6));
}

TEST_CASE("the time in which the loop waits for data") {
  struct slow {  // an input range whose elements take their time
    struct iterator {
      using value_type = int;
      using difference_type = std::ptrdiff_t;
      int n = 0;
      int operator*() const { return n; }
      iterator& operator++() {
        set_clock::pass(30);
        ++n;
        return *this;
      }
      void operator++(int) { ++*this; }
      bool operator==(std::default_sentinel_t) const { return n == 4; }
    };
    iterator begin() {
      set_clock::pass(500);
      return {};
    }
    std::default_sentinel_t end() { return {}; }
  };
  meter m(1);
  m.go();
  int seen = 0;
  for (int i : m.waits(slow{})) {
    CHECK(i == seen++);
    set_clock::pass(20);  // the loop's own work is no waiting
    m.step([] { set_clock::pass(150); });
  }
  CHECK(seen == 4);
  CHECK(m.steps() == 3);  // the first step is not counted, nor what was waited for it
  CHECK(m.waiting() == doctest::Approx(90e-6));
  CHECK(m.whole() == doctest::Approx(600e-6));
  CHECK(m.waiting_share() == doctest::Approx(0.15));
  CHECK(m.text(1, 150e3) ==
        "3 steps: mean 150 us, median 150 us, 1.0 GFLOP/s; 5000 examples/s, the loop takes 1.33 times its steps, "
        "15.00% of it waiting for data");
  m.wait([] { set_clock::pass(1000); });  // and then the loop is left
  m.go();
  m.step([] { set_clock::pass(150); });
  CHECK(m.waiting() == doctest::Approx(90e-6));
}
