// SPDX-License-Identifier: BSD-3-Clause
// The order of the examples in an epoch: a function of (count, seed, epoch) alone, the same with
// every compiler and library (std::shuffle and std's distributions are not).
// Read next: generator.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace etna::data {

/// Mix two numbers into one seed, so that neighbours give unrelated streams.
///
/// source  Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (splitmix64)
constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a + 0x9e3779b97f4a7c15u * (b + 1);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// A number from 0 to n - 1, all equally likely; n is not 0.
template <class Engine> constexpr std::uint64_t below(Engine& random, std::uint64_t n) {
  std::uint64_t const unfair = (0 - n) % n;  // 2^64 mod n numbers would be favoured: drawn again
  std::uint64_t x = random();
  while (x < unfair) x = random();
  return x % n;
}

/// Fill `order` with 0, 1, ... in the order of this epoch.
///
/// example test/unit/data/shuffle.cpp  [the order is the same everywhere]
inline void shuffle(std::span<std::uint32_t> order, std::uint64_t seed, std::uint64_t epoch) {
  std::mt19937_64 random(mix(seed, epoch));
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[std::size_t(below(random, i))]);
}

/// The order of an epoch of n examples.
inline std::vector<std::uint32_t> shuffled(std::size_t n, std::uint64_t seed, std::uint64_t epoch) {
  std::vector<std::uint32_t> order(n);
  shuffle(order, seed, epoch);
  return order;
}

}  // namespace etna::data

#include <etna/set_back.hpp>
