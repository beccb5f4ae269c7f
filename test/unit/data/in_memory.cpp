// SPDX-License-Identifier: BSD-3-Clause
// Data sets in memory: rows side by side.
#include <doctest/doctest.h>

#include <vector>

#include <etna/etna.hpp>
#include <etna/data/pipeline.hpp>

#include "file.hpp"

using namespace etna;

TEST_CASE("rows side by side") {
  array<float, 3, 2> const x{{1, 2}, {3, 4}, {5, 6}};
  array<int, 3> const y{7, 8, 9};
  std::vector<double> z{0.5, 1.5, 2.5};
  std::vector<std::uint8_t> bytes{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  auto p = data::in_memory(x, y, z, data::rows<2, 2>(std::span<std::uint8_t const>(bytes)));
  static_assert(
      std::is_same_v<decltype(p)::element, std::tuple<array<float, 2>, int, double, array<std::uint8_t, 2, 2>>>);
  CHECK(p.size() == 3);
  bytes[4] = 40;  // a span is read where it lies, a vector was copied
  z[1] = 0;
  int n = 0;
  for (auto const& [a, b, c, d] : p.epoch(0)) {
    CHECK(a(0) == float(2 * n + 1));
    CHECK(a(1) == float(2 * n + 2));
    CHECK(b == n + 7);
    CHECK(c == n + 0.5);
    CHECK(d(0, 0) == (n == 1 ? 40 : 4 * n));
    CHECK(d(1, 1) == 4 * n + 3);
    ++n;
  }
  CHECK(n == 3);
}

TEST_CASE("one column is its rows") {
  auto p = data::in_memory(array<int, 2, 2>{{1, 2}, {3, 4}});
  static_assert(std::is_same_v<decltype(p)::element, array<int, 2>>);
  CHECK(p.epoch(0, 1).begin().operator*()(0) == 3);
  array<float, "n"_n, "m"_n> const named = array<float, "n"_n, "m"_n>::build(
      [](float* out) {
        for (int i = 0; i < 6; ++i) out[i] = float(i);
      },
      {2, 3});
  auto q = data::in_memory(named);
  CHECK(q.size() == 2);
  CHECK((*q.epoch(0, 1).begin())(2) == 5);
}

TEST_CASE("columns of different lengths, and rows that do not fill") {
  std::vector<int> a(3), b(4);
  CHECK(test_data::error_of([&] { (void)data::in_memory(a, b); }) == 111);
  CHECK(test_data::error_of([&] { (void)data::rows<2>(a); }) == 111);
  CHECK(data::rows<2>(b).size() == 2);
}
