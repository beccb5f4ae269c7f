// SPDX-License-Identifier: BSD-3-Clause
// Shuffling: a permutation, the same with every compiler, another each epoch and for each seed.
#include <doctest/doctest.h>

#include <algorithm>

#include <etna/data/shuffle.hpp>

using namespace etna::data;

TEST_CASE("an order is a permutation") {
  for (std::size_t n : {0u, 1u, 2u, 33u, 1000u}) {
    auto order = shuffled(n, 3, 4);
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < n; ++i) CHECK(order[i] == i);
  }
}

TEST_CASE("the order is the same everywhere") {
  using order = std::vector<std::uint32_t>;
  CHECK(mix(0, 0) == 0xe220a8397b1dcdaf);  // splitmix64's first number for seed 0
  CHECK(shuffled(8, 0, 0) == order{3, 5, 6, 1, 7, 2, 4, 0});
  CHECK(shuffled(8, 0, 1) == order{5, 7, 3, 2, 6, 4, 0, 1});
  CHECK(shuffled(8, 1, 0) == order{1, 4, 6, 0, 5, 2, 7, 3});
}

TEST_CASE("an epoch's order depends on nothing but count, seed and epoch") {
  std::vector<std::uint32_t> used(50, 7);
  shuffle(used, 9, 2);
  CHECK(used == shuffled(50, 9, 2));
  CHECK(used != shuffled(50, 9, 3));
  CHECK(used != shuffled(50, 8, 2));
}

TEST_CASE("all orders of three come equally often") {
  int count[27]{};
  for (std::uint64_t epoch = 0; epoch < 6000; ++epoch) {
    auto const o = shuffled(3, 1, epoch);
    ++count[o[0] * 9 + o[1] * 3 + o[2]];
  }
  for (int n : count) CHECK((n == 0 || (n > 850 && n < 1150)));
}
