// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include <etna/etna.hpp>
#include <etna/data/pipeline.hpp>

#include "file.hpp"

using namespace etna;
using test_data::error_of;

namespace {
std::vector<int> numbers(int n) {
  std::vector<int> r(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) r[std::size_t(i)] = i;
  return r;
}
template <class P> std::vector<std::vector<int>> batches_of(P const& p, std::uint64_t epoch) {
  std::vector<std::vector<int>> r;
  for (auto const& b : p.epoch(epoch)) r.emplace_back(b.data(), b.data() + b.size());
  CHECK(r.size() == p.size());
  return r;
}
// Numbers that a map draws, which are the example's own on any rank.
auto drawn(int n) {
  return numbers(n) | data::shuffle(4) |
         data::map([](int x, data::generator& random) { return 1000 * x + int(random.integer(1000)); }, 7);
}
}  // namespace

TEST_CASE("the batches of one rank, in parts") {
  for (int n : {48, 100, 239})
    for (std::size_t ranks : {1u, 2u, 3u, 4u, 6u, 8u})
      for (std::uint64_t epoch : {0u, 3u}) {
        auto const of_one = batches_of(drawn(n) | data::batch<"b"_n>(48, data::rest::drop), epoch);
        std::vector<std::vector<int>> together(of_one.size());
        for (std::size_t rank = 0; rank < ranks; ++rank) {
          auto const mine = batches_of(drawn(n) | data::shard_batch<"b"_n>(48, rank, ranks), epoch);
          REQUIRE(mine.size() == of_one.size());
          for (std::size_t k = 0; k < mine.size(); ++k) {
            CHECK(mine[k].size() == 48 / ranks);
            together[k].insert(together[k].end(), mine[k].begin(), mine[k].end());
          }
        }
        CHECK(together == of_one);
      }
}
TEST_CASE("shard and batch: the same sets, in the ranks' order") {
  for (int n : {48, 100, 239})
    for (std::size_t ranks : {1u, 2u, 3u, 4u, 8u}) {
      auto of_one = batches_of(drawn(n) | data::batch<"b"_n>(48, data::rest::drop), 1);
      std::vector<std::vector<int>> together(of_one.size());
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        auto const mine =
            batches_of(drawn(n) | data::shard(rank, ranks) | data::batch<"b"_n>(48 / ranks, data::rest::drop), 1);
        REQUIRE(mine.size() == of_one.size());
        for (std::size_t k = 0; k < mine.size(); ++k)
          together[k].insert(together[k].end(), mine[k].begin(), mine[k].end());
      }
      for (auto* all : {&of_one, &together})
        for (auto& b : *all) std::sort(b.begin(), b.end());
      CHECK(together == of_one);
    }
}
TEST_CASE("the size of a part in the type") {
  auto const p = numbers(50) | data::shard_batch<6>(1, 4);
  static_assert(std::is_same_v<typename decltype(p)::element, array<int, 6>>);
  CHECK(p.size() == 2);
  CHECK(batches_of(p, 0)[1][0] == 24 + 6);
}
TEST_CASE("behind it threads make batches ahead, and a run goes on from a batch") {
  auto const p = numbers(200) | data::shuffle(1) | data::shard_batch<"b"_n>(16, 1, 2) | data::prefetch(3, 2);
  auto const all = batches_of(p, 5);
  std::vector<int> later;
  for (auto const& b : p.epoch(5, 7)) later.push_back(b(0));
  CHECK(later.size() == all.size() - 7);
  CHECK(later[0] == all[7][0]);
}
TEST_CASE("ranks that do not divide the batch") {
  CHECK(error_of([] { data::shard_batch<"b"_n>(48, 0, 5); }) == 179);
  CHECK(error_of([] { data::shard_batch<"b"_n>(48, 0, 0); }) == 179);
  CHECK(error_of([] { data::shard_batch<"b"_n>(48, 4, 4); }) == 111);
  CHECK(error_of([] { data::shard_batch<6>(4, 4); }) == 111);
  CHECK(error_of([] { data::shard_batch<"b"_n>(0, 0, 4); }) == 111);
}
