// SPDX-License-Identifier: BSD-3-Clause
// Examples stacked to batches.
#include <doctest/doctest.h>

#include <vector>

#include <etna/etna.hpp>
#include <etna/data/pipeline.hpp>

#include "file.hpp"

using namespace etna;

namespace {
struct example {
  array<float, 2> x;
  std::pair<int, std::array<bool, 2>> y;
};
template <class T> struct of_type {
  T a;
  array<double> b;
};
array<int, "t"_n> counting(int n) {
  return array<int, "t"_n>::build(
      [&](int* out) {
        for (int i = 0; i < n; ++i) out[i] = i;
      },
      {n});
}
}  // namespace

TEST_CASE("stacks leaf by leaf") {
  std::vector<std::tuple<array<float, 2>, std::pair<int, std::array<bool, 2>>>> set;
  for (int i = 0; i < 7; ++i) set.push_back({{float(i), float(-i)}, {i, {i % 2 == 0, i % 3 == 0}}});
  auto p = set | data::batch<3>();
  using batch = std::tuple<array<float, 3, 2>, std::pair<array<int, 3>, std::array<array<bool, 3>, 2>>>;
  static_assert(std::is_same_v<decltype(p)::element, batch>);
  CHECK(p.size() == 2);
  int n = 0;
  for (auto const& [x, y] : p.epoch(0))
    for (int i = 0; i < 3; ++i, ++n) {
      CHECK(x(i, 0) == float(n));
      CHECK(x(i, 1) == float(-n));
      CHECK(y.first(i) == n);
      CHECK(y.second[0](i) == (n % 2 == 0));
      CHECK(y.second[1](i) == (n % 3 == 0));
    }
  CHECK(n == 6);
}

TEST_CASE("structs: a template becomes one of batches, another one a tree like it") {
  std::vector<of_type<array<int, 2>>> set(4);
  for (int i = 0; i < 4; ++i) set[std::size_t(i)] = {{i, i + 1}, array<double>(i * 0.5)};
  auto p = set | data::batch<4>();
  for (auto const& x : p.epoch(0)) {
    CHECK(tree::size<decltype(x)>() == 2);
    tree::for_each([](auto const& leaf) { CHECK(leaf.shape()[0] == 4); }, x);
  }
  std::vector<example> examples(2);
  examples[1] = {{5, 6}, {7, {true, false}}};
  auto q = examples | data::batch<2>();
  for (auto const& x : q.epoch(0)) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(x.get<&example::x>())>, array<float, 2, 2>>);
    CHECK(x.get<&example::x>()(1, 1) == 6);
    CHECK(x.get<&example::y>().first(1) == 7);
  }
}

TEST_CASE("the last batch of a named extent has what is left") {
  std::vector<int> set{0, 1, 2, 3, 4, 5, 6};
  auto p = set | data::batch<"b"_n>(3);
  static_assert(std::is_same_v<decltype(p)::element, array<int, "b"_n>>);
  CHECK(p.size() == 3);
  std::vector<extent> sizes;
  for (auto const& x : p.epoch(0)) sizes.push_back(x.size());
  CHECK(sizes == std::vector<extent>{3, 3, 1});
  CHECK((set | data::batch<"b"_n>(3, data::rest::drop)).size() == 2);
  CHECK((set | data::batch<"b"_n>(7)).size() == 1);
  CHECK((set | data::batch<8>()).size() == 0);
  auto whole = set | data::batch<"b"_n>(std::size_t(-1));
  CHECK(whole.size() == 1);
  CHECK((*whole.epoch(0).begin()).size() == 7);
  CHECK((set | data::batch<"b"_n>(std::size_t(-1), data::rest::drop)).size() == 0);
  CHECK(test_data::error_of([] { (void)data::batch<"b"_n>(0); }) == 111);
  auto total = jit([](array<int, "b"_n> const& x) { return sum(x); });
  std::vector<int> totals;
  for (auto const& x : p.epoch(0)) totals.push_back(total(x).item());
  CHECK(totals == std::vector{3, 12, 6});
}

TEST_CASE("arrays whose sizes are known at run time") {
  std::vector<array<int, "t"_n>> same{counting(3), counting(3)}, other{counting(3), counting(2)};
  auto p = same | data::batch<2>();
  static_assert(std::is_same_v<decltype(p)::element, array<int, 2, "t"_n>>);
  for (auto const& x : p.epoch(0)) {
    CHECK(x.shape() == std::array<extent, 2>{2, 3});
    CHECK(x(1, 2) == 2);
  }
  auto q = other | data::batch<2>();
  CHECK(test_data::error_of([&] { (void)*q.epoch(0).begin(); }) == 112);
}

TEST_CASE("batches of batches, made behind maps and of bools") {
  std::vector<bool> set{true, false, false, true};
  auto p = set | data::batch<2>() | data::map([](auto const& x) { return !x; }) | data::batch<2>();
  for (auto const& x : p.epoch(0)) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(x)>, array<bool, 2, 2>>);
    CHECK(!x(0, 0));
    CHECK(x(0, 1));
    CHECK(x(1, 0));
  }
}
