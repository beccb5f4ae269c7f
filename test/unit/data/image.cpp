// SPDX-License-Identifier: BSD-3-Clause
// Pictures as arrays.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/data/crop.hpp>
#include <etna/data/image.hpp>
#include <etna/data/resize.hpp>

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

TEST_CASE("a picture whose sizes are not those of its bytes is refused by all that take one") {
  for (auto [rows, columns, channels, n] : {std::tuple{2l, 2l, 1l, 4000u},
                                            {2l, 2l, 1l, 3u},
                                            {2l, 2l, 1l, 0u},
                                            {0l, 2l, 1l, 4u},
                                            {-2l, -2l, 1l, 4u},
                                            {1l << 62, 8l, 1l, 0u},
                                            {1l << 62, 8l, 3l, 4u},
                                            {4l, 1l << 62, 4l, 16u}}) {
    data::picture const p{rows, columns, channels, bytes(n)};
    data::generator random(0);
    CHECK(error_of([&] { (void)data::to_array<2, 2, 1>(p); }) == 165);
    CHECK(error_of([&] { (void)data::resize<1, 1>(p); }) == 165);
    CHECK(error_of([&] { (void)data::center_crop<1, 1>(p); }) == 165);
    CHECK(error_of([&] { (void)data::random_crop<1, 1>()(p, random); }) == 165);
    CHECK(error_of([&] { (void)data::flip(p); }) == 165);
    CHECK(error_of([&] { data::detail::look_at(p); }) == 165);  // write_png
  }
  CHECK(error_of([] { data::detail::look_at(data::picture{}); }) == 0);
}
