// SPDX-License-Identifier: BSD-3-Clause
// What a cache keeps, and what is made again.
#include <doctest/doctest.h>

#include <atomic>
#include <vector>

#include <etna/etna.hpp>
#include <etna/data/pipeline.hpp>

using namespace etna;

namespace {
std::vector<int> numbers(int n) {
  std::vector<int> r(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) r[std::size_t(i)] = i;
  return r;
}
template <class P> long sum(P const& p, std::uint64_t epoch) {
  long s = 0;
  for (auto const& x : p.epoch(epoch)) s += long(x.data()[0]) * x.size();
  return s;
}
// An array of 1000 bytes and a count of those that were made.
auto counting(std::atomic<int>& made) {
  return data::map([&made](int x) {
    ++made;
    return full<std::uint8_t, 1000>(std::uint8_t(x));
  });
}
}  // namespace

TEST_CASE("each example is made once") {
  std::atomic<int> made{0};
  auto kept = numbers(200) | counting(made) | data::cache();
  auto before = kept | data::shuffle(1) | data::prefetch(8, 4);
  auto behind = numbers(200) | data::shuffle(2) | counting(made) | data::cache() | data::prefetch(8, 4);
  for (std::uint64_t epoch = 0; epoch < 3; ++epoch) CHECK(sum(before, epoch) == 199 * 100 * 1000);
  CHECK(made == 200);
  CHECK(sum(kept, 9) == 199 * 100 * 1000);  // a copy shares the memory
  CHECK(made == 200);
  for (std::uint64_t epoch = 0; epoch < 3; ++epoch) CHECK(sum(behind, epoch) == 199 * 100 * 1000);
  CHECK(made == 400);
  CHECK(sum(kept | data::repeat(2) | data::take(300), 1) > 0);
  CHECK(made == 400);
}

TEST_CASE("two ask for one example at once") {
  std::atomic<int> made{0};
  auto p = numbers(1) | data::map([&](int x) { return ++made, x; }) | data::cache() | data::repeat(500) |
           data::prefetch(16, 4);
  int n = 0;
  for (int x : p.epoch(0)) n += x == 0;
  CHECK(n == 500);
  CHECK(made == 1);
}

TEST_CASE("what does not fit is made again") {
  std::atomic<int> made{0};
  using picture = array<std::uint8_t, 1000>;
  auto const unlimited = numbers(80) | counting(made) | data::cache();
  using store = std::remove_cvref_t<decltype(*unlimited.node().all)>;
  std::size_t const room = 50 * (sizeof(picture) + 1000 + store::slot_bytes);
  auto p = numbers(80) | counting(made) | data::cache(room);
  CHECK(sum(p, 0) == 40 * 79 * 1000);
  CHECK(made == 80);
  CHECK(sum(p, 1) == 40 * 79 * 1000);
  CHECK(made == 110);
  auto none_fits = numbers(5) | counting(made) | data::cache(999);
  for (std::uint64_t epoch = 0; epoch < 2; ++epoch) CHECK(sum(none_fits, epoch) == 10000);
  CHECK(made == 120);
}

namespace {
struct endless {
  std::size_t size() const { return std::size_t(1) << 40; }
  int operator[](std::size_t i) const { return int(i); }
};
}  // namespace

TEST_CASE("only what is asked for has a place, and places count in the limit") {
  auto part = endless{} | data::shard(5, std::size_t(1) << 38) | data::cache();
  int n = 0;
  for (int x : part.epoch(0)) n += x == 5;  // 2^38 k + 5, as an int
  CHECK(n == 4);
  CHECK(part.node().all->slots.size() == 4);
  auto p = endless{} | data::take(1000) | data::cache(1000);
  for (int epoch = 0; epoch < 2; ++epoch)
    for (int x : p.epoch(0)) n += x >= 0;
  CHECK(n == 2004);
  CHECK(p.node().all->slots.size() * sizeof(std::pair<std::size_t, int>) < 1000);
  CHECK(p.node().all->used <= 1000);
}

TEST_CASE("an example that could not be made is tried again") {
  std::atomic<int> tries{0};
  auto p = numbers(3) | data::map([&](int x) {
             if (x == 1 && ++tries == 1) throw std::runtime_error("not yet");
             return x;
           }) |
           data::cache();
  CHECK_THROWS([&] {
    for (int x : p.epoch(0)) (void)x;
  }());
  int s = 0;
  for (int x : p.epoch(0)) s += x;
  CHECK(s == 3);
  CHECK(tries == 2);
}

TEST_CASE("bytes of an example") {
  using data::detail::bytes_held;
  CHECK(bytes_held(3.0) == 8);
  CHECK(bytes_held(array<float, 4>()) == sizeof(array<float, 4>));
  CHECK(bytes_held(std::tuple{array<float, 100>(), 1}) == sizeof(array<float, 100>) + 404);
  CHECK(bytes_held(std::vector<int>(10)) == sizeof(std::vector<int>) + 40);
}
