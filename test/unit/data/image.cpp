// SPDX-License-Identifier: BSD-3-Clause
// Pictures as arrays.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/data/image.hpp>

#include "pictures.hpp"

using namespace etna;
using namespace test_data;

TEST_CASE("a picture as an array") {
  auto const p = by_formula(4, 3, 3);
  array<std::uint8_t, 4, 3, 3> const x = data::to_array<4, 3, 3>(p);
  for (int i = 0; i < 36; ++i) CHECK(x(i / 9, i / 3 % 3, i % 3) == p.bytes[std::size_t(i)]);
  CHECK(error_of([&] { (void)data::to_array<3, 4, 3>(p); }) == 165);
  CHECK(error_of([&] { (void)data::to_array<4, 3, 1>(p); }) == 165);
}
