// SPDX-License-Identifier: BSD-3-Clause
// Pipelines as a whole: the elements of an epoch, where a run goes on, and what a pipeline is made of.
#include <doctest/doctest.h>

#include <ranges>
#include <vector>

#include <etna/etna.hpp>
#include <etna/data/pipeline.hpp>

#include "file.hpp"

using namespace etna;

namespace {
template <class P> auto all_of(P const& p, std::uint64_t epoch, std::size_t first = 0) {
  std::vector<typename P::element> r;
  for (auto& x : p.epoch(epoch, first)) r.push_back(std::move(x));
  return r;
}
std::vector<int> numbers(int n) {
  std::vector<int> r(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) r[std::size_t(i)] = i;
  return r;
}
}  // namespace

TEST_CASE("stages behind each other") {
  std::vector<std::uint8_t> bytes(10 * 6);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::uint8_t(i);
  auto train = data::in_memory(data::rows<2, 3>(bytes), numbers(10)) | data::shuffle(7) |
               data::map<0>([](auto const& x) { return astype<float>(x); }) | data::batch<4>();
  static_assert(std::is_same_v<decltype(train)::element, std::tuple<array<float, 4, 2, 3>, array<int, 4>>>);
  static_assert(std::ranges::input_range<decltype(train.epoch(0))>);
  static_assert(std::ranges::input_range<decltype((train | data::prefetch(1)).epoch(0))>);
  CHECK(train.size() == 2);
  auto const order = data::shuffled(10, 7, 3);
  std::size_t n = 0;
  for (auto const& [x, y] : train.epoch(3)) {
    for (int i = 0; i < 4; ++i) {
      int const example = int(order[n * 4 + std::size_t(i)]);
      CHECK(y(i) == example);
      for (int j = 0; j < 6; ++j) CHECK(x(i, j / 3, j % 3) == float(example * 6 + j));
    }
    ++n;
  }
  CHECK(n == 2);
}

TEST_CASE("an epoch goes on from any element") {
  auto p = numbers(9) | data::shuffle(1) |
           data::map([](int x, data::generator& g) { return x + int(g.integer(1000)) * 100; });
  auto const whole = all_of(p, 5);
  CHECK(whole.size() == 9);
  for (std::size_t first = 0; first <= 9; ++first)
    CHECK(all_of(p, 5, first) == std::vector(whole.begin() + std::ptrdiff_t(first), whole.end()));
  CHECK(all_of(p, 5, 12).empty());
  CHECK(all_of(p, 6) != whole);
}

TEST_CASE("a pipeline outlives what it was made of, and a range the pipeline") {
  auto epoch = [] {
    auto p = numbers(3) | data::map([](int x) { return 2 * x; });
    return p.epoch(0);
  }();
  std::vector<int> seen;
  for (int x : epoch) seen.push_back(x);
  CHECK(seen == std::vector{0, 2, 4});
}

TEST_CASE("an empty set has empty epochs") {
  auto p = numbers(0) | data::shuffle(1) | data::repeat(3) | data::batch<2>() | data::prefetch(2, 2);
  CHECK(p.size() == 0);
  for (auto const& x : p.epoch(0)) FAIL_CHECK(x.size());
}
