// SPDX-License-Identifier: BSD-3-Clause
// The line of a run, by a clock that the test sets.
#include <doctest/doctest.h>

#include <etna/train/progress_bar.hpp>

using namespace etna::train;

namespace {
struct set_clock {
  using duration = std::chrono::milliseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<set_clock>;
  static constexpr bool is_steady = true;
  static inline time_point now_{};
  static time_point now() { return now_; }
  static void pass(int ms) { now_ += duration(ms); }
};
std::string written(std::FILE* f) {
  std::string s(std::size_t(std::ftell(f)), ' ');
  std::rewind(f);
  CHECK(std::fread(s.data(), 1, s.size(), f) == s.size());
  return s;
}
run_record at(std::uint64_t batch) {
  run_record r;
  r.batches = 100;
  r.epoch = 1;
  r.batch = batch;
  for (double rate : {0.5, 0.25}) {
    r.log("loss", 8 * rate);
    r.log("rate", rate);
  }
  return r;
}
}  // namespace

TEST_CASE("by a clock that is set") {
  progress_bar<set_clock> bar(nullptr, false);
  bar.go(at(20));
  CHECK(bar.text(at(20), 3, {}) == "epoch 2/3 [====                ]  20%  loss 3  rate 0.25");
  set_clock::pass(10000);
  CHECK(bar.seconds() == 10.0);
  CHECK(bar.text(at(40), 3, {}) == "epoch 2/3 [========            ]  40%  loss 3  rate 0.25  1:20 left");
  CHECK(bar.text(at(40), 3, {32, 5e9, 0}) ==
        "epoch 2/3 [========            ]  40%  loss 3  rate 0.25  64 examples/s  10.0 GFLOP/s  1:20 left");
  CHECK(
      bar.text(at(40), 3, {32, 5e9, 40e9}) ==
      "epoch 2/3 [========            ]  40%  loss 3  rate 0.25  64 examples/s  10.0 GFLOP/s (25% of peak)  1:20 left");
  CHECK(detail::clock_text(7.4) == "7 s");
  CHECK(detail::clock_text(3723) == "1:02:03");
  CHECK(detail::clock_text(-1) == "0 s");
}

TEST_CASE("a line for an epoch") {
  history h;
  h.column("loss");
  h.column("accuracy");
  h.rows = {{1, {0.5, history::missing}, 2.25}};
  CHECK(line_of(h, 12, false) == "epoch 1/12  loss 0.5  2.25 s");
  h.rows.push_back({2, {0.25, 0.98765}, 0.5});
  CHECK(line_of(h, 12, true) == "epoch 2/12  loss 0.25  accuracy 0.9877  0.50 s  best");
}

TEST_CASE("ten times a second, and only where it is shown") {
  std::FILE* f = std::tmpfile();
  REQUIRE(f);
  {
    progress_bar<set_clock> bar(f, true);
    bar.go(at(0));
    for (std::uint64_t i = 1; i <= 100; ++i) {
      set_clock::pass(10);
      bar.show(at(i), 3, {});
    }
  }
  auto const text = written(f);
  CHECK(std::count(text.begin(), text.end(), '\r') == 11);  // ten, and what clears
  CHECK(text.ends_with(" 91%  loss 3  rate 0.25  1 s left\x1b[K\r\x1b[K"));
  std::fclose(f);
  f = std::tmpfile();
  {
    progress_bar<set_clock> bar(f, false);
    bar.go(at(0));
    set_clock::pass(1000);
    bar.show(at(100), 3, {});
  }
  CHECK(written(f).empty());
  std::fclose(f);
}
