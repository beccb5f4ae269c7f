// SPDX-License-Identifier: BSD-3-Clause
// Threads that make batches ahead: the same elements with any number of them, errors where they belong, no thread left.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <etna/etna.hpp>
#include <etna/data/pipeline.hpp>

#include "file.hpp"

using namespace etna;

namespace {
std::vector<int> numbers(int n) {
  std::vector<int> r(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) r[std::size_t(i)] = i;
  return r;
}
template <class P> std::vector<std::vector<int>> all_of(P const& p, std::uint64_t epoch, std::size_t first = 0) {
  std::vector<std::vector<int>> r;
  for (auto const& x : p.epoch(epoch, first)) r.emplace_back(x.begin(), x.end());
  return r;
}
// Threads of this process, and those among them that this room named.
int named_threads() {
  int n = 0;
  for (auto const& task : test_data::fs::directory_iterator("/proc/self/task")) {
    std::ifstream in(task.path() / "comm");
    std::string name;
    std::getline(in, name);
    n += name.rfind("etna-data-", 0) == 0;
  }
  return n;
}
auto drawing() {
  return numbers(103) | data::shuffle(3) |
         data::map([](int x, data::generator& g) { return 1000 * x + int(g.integer(1000)); }) | data::batch<10>();
}
}  // namespace

TEST_CASE("the same elements with any threads") {
  auto const want = all_of(drawing(), 4);
  CHECK(want.size() == 10);
  for (std::size_t ahead : {1u, 2u, 5u, 40u})
    for (std::size_t threads : {1u, 2u, 7u}) {
      auto p = drawing() | data::prefetch(ahead, threads);
      CHECK(p.size() == 10);
      CHECK(all_of(p, 4) == want);
      CHECK(all_of(p, 4, 7) == std::vector(want.begin() + 7, want.end()));
    }
  CHECK(named_threads() == 0);
}

TEST_CASE("no more than so many are made ahead") {
  std::atomic<int> made{0};
  auto p = numbers(50) | data::map([&](int x) { return ++made, x; }) | data::prefetch(3, 2);
  int taken = 0;
  for (int x : p.epoch(0)) {
    CHECK(x == taken++);
    if (taken % 10 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(made <= taken + 3);
    CHECK(named_threads() <= 2);
  }
  CHECK(made == 50);
}

TEST_CASE("what is thrown in a thread is thrown where its batch would have come") {
  auto p = numbers(100) | data::map([](int x) {
             if (x >= 57) throw std::runtime_error("example " + std::to_string(x));
             return x;
           }) |
           data::batch<10>() | data::prefetch(8, 3);
  int batches = 0;
  auto run = [&] {
    for (auto const& x : p.epoch(0)) CHECK(x(0) == 10 * batches++);
  };
  CHECK_THROWS_WITH_AS(run(), "example 57", std::runtime_error);
  CHECK(batches == 5);
  CHECK(named_threads() == 0);
  auto q = numbers(4) | data::map([](int) -> int { message::raise<102>("x.bin"); }) | data::prefetch(1, 1);
  CHECK(test_data::error_of([&] {
          for (int x : q.epoch(0)) (void)x;
        }) == 102);
}

TEST_CASE("a loop that is left early leaves no threads") {
  auto p = numbers(1000) | data::map([](int x) {
             std::this_thread::sleep_for(std::chrono::microseconds(100));
             return x;
           }) |
           data::prefetch(4, 3);
  for (int x : p.epoch(0)) {
    CHECK(named_threads() > 0);
    if (x == 5) break;
  }
  CHECK(named_threads() == 0);
  { auto never_run = p.epoch(1); }
  CHECK(named_threads() == 0);
}

TEST_CASE("threads sleep while there is nothing to do") {
  auto p = numbers(1000) | data::prefetch(4, 3);
  auto epoch = p.epoch(0);
  auto at = epoch.begin();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  timespec before{}, after{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  CHECK(double(after.tv_sec - before.tv_sec) + 1e-9 * double(after.tv_nsec - before.tv_nsec) < 0.05);
  CHECK(*at == 0);
}

TEST_CASE("elements may be moved away") {
  auto p = numbers(6) | data::map([](int x) { return std::vector<int>(10, x); }) | data::prefetch(2, 2);
  std::vector<std::vector<int>> kept;
  for (auto& x : p.epoch(0)) kept.push_back(std::move(x));
  CHECK(kept.size() == 6);
  CHECK(kept[5] == std::vector<int>(10, 5));
}

TEST_CASE("maps may compute with arrays, compiled and not") {
  static constexpr auto mean_of = jit([](array<float, 64, 64> const& x) { return mean(x * x); });
  auto p = numbers(60) | data::map([](int x) { return full<float, 64, 64>(float(x)); }) | data::map([](auto const& x) {
             return std::pair{mean_of(x), sum(x + 1.0f)};
           }) |
           data::batch<4>() | data::prefetch(6, 4);
  int n = 0;
  for (auto const& [square, total] : p.epoch(0))
    for (int i = 0; i < 4; ++i, ++n) {
      CHECK(square(i) == doctest::Approx(n * n));
      CHECK(total(i) == doctest::Approx(4096 * (n + 1)));
    }
  CHECK(n == 60);
}
