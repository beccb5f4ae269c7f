// SPDX-License-Identifier: BSD-3-Clause
// Parts of pictures, and pictures turned round.
#include <doctest/doctest.h>

#include <map>
#include <set>

#include <etna/etna.hpp>
#include <etna/data/crop.hpp>

#include "pictures.hpp"

using namespace etna;
using namespace test_data;

namespace {
// The byte at a place, 0 outside.
int at(data::picture const& p, std::int64_t r, std::int64_t k, std::int64_t c) {
  if (r < 0 || k < 0 || r >= p.rows || k >= p.columns) return 0;
  return p.bytes[std::size_t((r * p.columns + k) * p.channels + c)];
}
bool is_part(data::picture const& part, data::picture const& whole, std::int64_t top, std::int64_t left) {
  for (std::int64_t r = 0; r < part.rows; ++r)
    for (std::int64_t k = 0; k < part.columns; ++k)
      for (std::int64_t c = 0; c < part.channels; ++c)
        if (at(part, r, k, c) != at(whole, top + r, left + k, c)) return false;
  return true;
}
}  // namespace

TEST_CASE("the middle") {
  auto const p = by_formula(9, 12, 3);
  CHECK(is_part(data::center_crop<5, 4>(p), p, 2, 4));
  CHECK(is_part(data::center_crop<6, 5>(p), p, 2, 4));  // 1.5 and 3.5, rounded to even
  CHECK(is_part(data::center_crop<8, 7>(p), p, 0, 2));  // 0.5 and 2.5
  CHECK(data::center_crop<9, 12>(p) == p);
  array<std::uint8_t, 5, 4, 3> const a = data::center_crop<5, 4, 3>(p);
  CHECK(a(0, 0, 2) == at(p, 2, 4, 2));
  array<std::uint8_t, 2, 2, 3> const b = data::center_crop<2, 2>(a);
  CHECK(b(1, 1, 0) == at(p, 2 + 2 + 1, 4 + 1 + 1, 0));
  CHECK(error_of([&] { (void)data::center_crop<10, 3>(p); }) == 165);
}

TEST_CASE("a part from anywhere") {
  auto const p = by_formula(6, 7, 1);
  std::map<std::pair<int, int>, int> seen;
  auto crop = data::random_crop<5, 5>(2);
  for (int i = 0; i < 6000; ++i) {
    data::generator g(data::mix(1, std::uint64_t(i)));
    auto const part = crop(p, g);
    int found = 0;
    for (int top = -2; top <= 3; ++top)
      for (int left = -2; left <= 4; ++left)
        if (is_part(part, p, top, left)) ++found, ++seen[{top, left}];
    CHECK(found == 1);
  }
  CHECK(seen.size() == 6 * 7);
  for (auto const& [place, n] : seen) CHECK(n == doctest::Approx(6000 / 42).epsilon(0.4));
  data::generator g(1);
  CHECK(data::random_crop<6, 7>()(p, g) == p);
  static_assert(std::is_same_v<decltype(data::random_crop<5, 5, 1>(2)(p, g)), array<std::uint8_t, 5, 5, 1>>);
  CHECK(error_of([&] { (void)data::random_crop<11, 2>(2)(p, g); }) == 165);
  CHECK(error_of([&] { (void)data::random_crop<2, 2>(-1); }) == 129);
  // Far outside, where nothing of the picture is left.
  bytes out(4, 9);
  data::detail::cut(data::detail::look_at(p), 0, 100, 2, 2, out.data());
  CHECK(out == bytes{0, 0, 0, 0});
  data::detail::cut(data::detail::look_at(p), 0, -100, 2, 2, out.data());
  CHECK(out == bytes{0, 0, 0, 0});
}

TEST_CASE("half of them are turned round") {
  auto const p = by_formula(2, 3, 3);
  auto const turned = data::flip(p);
  for (int r = 0; r < 2; ++r)
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < 3; ++c) CHECK(at(turned, r, k, c) == at(p, r, 2 - k, c));
  CHECK(data::flip(turned) == p);
  auto const a = array<std::uint8_t, 1, 2, 1>{{{1}, {2}}};
  CHECK(data::flip(a)(0, 0, 0) == 2);
  auto flips = data::random_flip();
  int n = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    data::generator g(data::mix(3, i));
    n += flips(a, g)(0, 0, 0) == 2;
  }
  CHECK(n == doctest::Approx(5000).epsilon(0.04));
  data::generator g(1);
  for (int i = 0; i < 100; ++i) {
    CHECK(data::random_flip(0)(a, g)(0, 0, 0) == 1);
    CHECK(data::random_flip(1)(a, g)(0, 0, 0) == 2);
  }
}
