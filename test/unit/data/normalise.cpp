// SPDX-License-Identifier: BSD-3-Clause
// Bytes as floating numbers.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/data/normalise.hpp>

#include "file.hpp"

using namespace etna;

TEST_CASE("bytes as numbers") {
  array<std::uint8_t, 2, 2, 2> const x{{{0, 255}, {1, 2}}, {{128, 7}, {254, 100}}};
  auto const y = data::to_float(x);
  auto const z = data::normalise({0.485, 0.25}, {0.229, 2.0})(x);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(z)>, array<float, 2, 2, 2>>);
  for (int i = 0; i < 8; ++i) {
    double const byte = x(i / 4, i / 2 % 2, i % 2);
    CHECK(y(i / 4, i / 2 % 2, i % 2) == float(byte) / 255.0f);
    double const want = i % 2 == 0 ? (byte / 255 - 0.485) / 0.229 : (byte / 255 - 0.25) / 2;
    CHECK(z(i / 4, i / 2 % 2, i % 2) == float(want));
  }
  CHECK(data::normalize({0.5, 0.5}, {1, 1})(x)(0, 0, 1) == 0.5f);
  CHECK(test_data::error_of([] { (void)data::normalise({0.5}, {0}); }) == 165);
  static_assert(!std::invocable<data::normalise_fn<3>, array<std::uint8_t, 2, 2, 2>>);
}
