// SPDX-License-Identifier: BSD-3-Clause
// Functions of examples, and the numbers that they draw.
#include <doctest/doctest.h>

#include <map>
#include <string>
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
auto draw = [](int x, data::generator& g) { return std::pair{x, g()}; };
template <class P> auto drawn(P const& p, std::uint64_t epoch) {
  std::map<int, std::uint64_t> r;
  for (auto const& [x, number] : p.epoch(epoch)) r[x] = number;
  return r;
}
template <class Set, class Stage> concept goes_on = requires(Set const& set, Stage const& stage) { set | stage; };
}  // namespace

TEST_CASE("numbers depend on seed, epoch and example alone") {
  auto const want = drawn(numbers(30) | data::map(draw), 2);
  CHECK(want.size() == 30);
  // Wherever the example stands, whoever makes it.
  CHECK(drawn(numbers(30) | data::map(draw) | data::shuffle(3), 2) == want);
  CHECK(drawn(numbers(30) | data::map(draw) | data::prefetch(4, 3), 2) == want);
  auto const some = drawn(numbers(30) | data::map(draw) | data::shard(1, 3), 2);
  CHECK(some.size() == 10);
  for (auto const& [x, number] : some) CHECK(want.at(x) == number);
  // A shuffle is a stage before this one, and examples keep their names through it.
  auto const later = drawn(numbers(30) | data::shuffle(3) | data::map(draw), 2);
  CHECK(later == drawn(numbers(30) | data::shuffle(8) | data::map(draw), 2));
  // Others of all.
  std::map<std::uint64_t, int> different;
  for (auto const& p : {drawn(numbers(30) | data::map(draw), 2), drawn(numbers(30) | data::map(draw), 3),
                        drawn(numbers(30) | data::map(draw, 1), 2), later})
    for (auto const& [x, number] : p) ++different[number];
  CHECK(different.size() == 120);
}

TEST_CASE("repetitions of an example and the sides of a concatenation have their own numbers") {
  auto own = [](auto const& p, std::uint64_t epoch) {
    std::map<std::uint64_t, int> r;
    for (auto const& [x, number] : p.epoch(epoch)) ++r[number];
    return r.size() == p.size();
  };
  CHECK(own(numbers(10) | data::repeat(3) | data::map(draw), 0));
  CHECK(own(numbers(10) | data::repeat(3) | data::shuffle(1) | data::repeat(2) | data::map(draw), 1));
  CHECK(own(numbers(10) | data::map(draw) | data::repeat(3), 0));
  CHECK(own(numbers(10) | data::cache() | data::repeat(3) | data::map(draw) | data::prefetch(2, 2), 0));
  auto const one = numbers(10) | data::map(draw);
  auto const two = data::concatenate(one, numbers(10) | data::map(draw));
  CHECK(own(two, 0));
  CHECK(own(data::concatenate(two, two), 3));
  CHECK(own(data::concatenate(one | data::shuffle(1), two | data::shuffle(1)), 3));
  CHECK(own(data::concatenate(numbers(10) | data::repeat(2), data::from_set(numbers(10))) | data::map(draw), 0));
}

TEST_CASE("two maps of one seed draw differently") {
  auto p = numbers(20) | data::map(draw) | data::map([](auto const& x, data::generator& g) {
             return std::pair{x.second, g()};
           });
  for (auto const& [one, other] : p.epoch(0)) CHECK(one != other);
}

TEST_CASE("one part of an example") {
  std::vector<std::tuple<int, std::string>> set{{1, "a"}, {2, "b"}};
  auto p = set | data::map<0>([](int x) { return x + 0.5; }) |
           data::map<1>([](std::string const& s, data::generator& g) { return s.size() + g.integer(1); });
  static_assert(std::is_same_v<decltype(p)::element, std::tuple<double, std::uint64_t>>);
  std::vector<std::tuple<double, std::uint64_t>> seen;
  for (auto const& x : p.epoch(0)) seen.push_back(x);
  CHECK(seen == std::vector<std::tuple<double, std::uint64_t>>{{1.5, 1}, {2.5, 1}});
}

TEST_CASE("a function that does not take the example is no stage") {
  auto with_text = data::map([](std::string const&) { return 0; });
  auto none_here = data::map<2>([](int x) { return x; });
  using pairs = std::vector<std::pair<int, int>>;
  static_assert(!goes_on<std::vector<int>, decltype(with_text)>);
  static_assert(!goes_on<pairs, decltype(none_here)>);
  static_assert(goes_on<std::vector<std::string>, decltype(with_text)>);
  static_assert(!goes_on<array<int, 3>, decltype(data::shuffle(1))>);
  CHECK((std::vector<std::string>{"a"} | with_text).size() == 1);
}
