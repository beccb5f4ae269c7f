// SPDX-License-Identifier: BSD-3-Clause
// Stages that say which elements come, and in which order.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include <etna/etna.hpp>
#include <etna/data/pipeline.hpp>

#include "file.hpp"

using namespace etna;

namespace {
std::vector<int> numbers(int n, int first = 0) {
  std::vector<int> r(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) r[std::size_t(i)] = first + i;
  return r;
}
template <class P> auto all_of(P const& p, std::uint64_t epoch) {
  std::vector<int> r;
  for (int x : p.epoch(epoch)) r.push_back(x);
  CHECK(r.size() == p.size());
  return r;
}
std::vector<int> order_of(std::size_t n, std::uint64_t seed, std::uint64_t epoch) {
  auto const order = data::shuffled(n, seed, epoch);
  return {order.begin(), order.end()};
}
}  // namespace

TEST_CASE("the order is that of data::shuffled") {
  auto p = numbers(20) | data::shuffle(9);
  for (std::uint64_t epoch : {0u, 1u, 77u}) CHECK(all_of(p, epoch) == order_of(20, 9, epoch));
}

TEST_CASE("take and skip") {
  CHECK(all_of(numbers(5) | data::take(3), 0) == numbers(3));
  CHECK(all_of(numbers(5) | data::take(9), 0) == numbers(5));
  CHECK(all_of(numbers(5) | data::skip(3), 0) == std::vector{3, 4});
  CHECK(all_of(numbers(5) | data::skip(9), 0).empty());
  auto const order = order_of(20, 9, 2);
  CHECK(all_of(numbers(20) | data::shuffle(9) | data::skip(4) | data::take(3), 2) ==
        std::vector(order.begin() + 4, order.begin() + 7));
}

TEST_CASE("ranks share an epoch: each example comes once, all have as many") {
  auto all = numbers(23) | data::shuffle(4);
  std::vector<int> seen;
  for (std::size_t rank = 0; rank < 4; ++rank) {
    auto const mine = all_of(all | data::shard(rank, 4), 1);
    CHECK(mine.size() == 5);
    seen.insert(seen.end(), mine.begin(), mine.end());
  }
  auto order = order_of(23, 4, 1);
  CHECK(seen[0] == order[0]);
  CHECK(seen[1] == order[4]);
  CHECK(seen[5] == order[1]);
  order.resize(20);
  std::sort(seen.begin(), seen.end());
  std::sort(order.begin(), order.end());
  CHECK(seen == order);
  CHECK((all | data::shard(2, 4, data::rest::keep)).size() == 6);
  CHECK((all | data::shard(3, 4, data::rest::keep)).size() == 5);
  CHECK(test_data::error_of([] { (void)data::shard(4, 4); }) == 111);
}

TEST_CASE("a repeated epoch is several epochs") {
  auto p = numbers(6) | data::shuffle(5) | data::repeat(3);
  std::vector<int> want;
  for (std::uint64_t epoch : {6u, 7u, 8u}) {
    auto const part = order_of(6, 5, epoch);
    want.insert(want.end(), part.begin(), part.end());
  }
  CHECK(all_of(p, 2) == want);
  CHECK(all_of(numbers(3) | data::repeat(0), 0).empty());
}

TEST_CASE("a repetition opens what it needs, and keeps little of it") {
  // A set and an order of the first example in each epoch.
  auto p = numbers(6) | data::shuffle(5) | data::repeat(std::size_t(1) << 40);
  auto all = p.epoch(0);
  int n = 0;
  for (int x : all) {
    CHECK(x == order_of(6, 5, std::uint64_t(n / 6))[std::size_t(n % 6)]);
    if (++n == 60) break;
  }
  // Also where it is asked for in another order than that of epochs.
  using view = decltype((numbers(6) | data::shuffle(5)).node().open(0, 0));
  auto inner = numbers(6) | data::shuffle(5);
  data::detail::last_opened<view> few(100, std::size_t(1) << 31);
  std::vector<std::uint64_t> opened;
  auto open = [&](std::size_t epoch) {
    opened.push_back(epoch);
    return inner.node().open(epoch, 0);
  };
  auto const first = few.at(0, open);
  for (std::size_t epoch : {0u, 1u, 1u, 0u, 50u, 51u, 0u}) CHECK((*few.at(epoch, open))[3] == order_of(6, 5, epoch)[3]);
  CHECK(opened == std::vector<std::uint64_t>{0, 1, 50, 51, 0});
  CHECK((*first)[3] == order_of(6, 5, 0)[3]);  // who has it keeps it
  CHECK(test_data::error_of([] { (void)(numbers(2) | data::repeat((std::size_t(1) << 63) + 1)); }) == 111);
  auto const half = numbers(1) | data::repeat(std::size_t(1) << 63);
  CHECK(test_data::error_of([&] { (void)data::concatenate(half, half); }) == 111);
}

TEST_CASE("one set behind another") {
  auto p = data::concatenate(numbers(3) | data::take(2), data::from_set(numbers(3, 10)));
  CHECK(all_of(p, 0) == std::vector{0, 1, 10, 11, 12});
  CHECK(all_of(p | data::cache() | data::shuffle(1) | data::take(0), 0).empty());
  auto q = p | data::shuffle(8) | data::cache();
  auto const order = order_of(5, 8, 0);
  std::vector<int> want;
  for (int i : order) want.push_back(i < 2 ? i : i + 8);
  CHECK(all_of(q, 0) == want);
}
