// SPDX-License-Identifier: BSD-3-Clause
// Pictures of another size, against Pillow and JAX.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/data/resize.hpp>

#include "pictures.hpp"

using namespace etna;
using namespace test_data;

TEST_CASE("Pillow's bytes") {
  int n = 0;
  for (auto const& r : reference::resizes) {
    CAPTURE(n);
    auto const from = by_formula(7, 11, n < 6 ? 3 : 1);
    bytes out(std::size_t(r.rows * r.columns * from.channels));
    data::detail::resample(data::detail::look_at(from), r.rows, r.columns, out.data());
    CHECK(out == from_hex(r.pillow));
    CHECK(apart(out, from_hex(r.jax)) <= 1);  // which rounds once, not after each axis
    ++n;
  }
  CHECK(n == 8);
}

TEST_CASE("pictures stay pictures, arrays arrays") {
  auto const p = by_formula(7, 11, 3);
  auto const a = data::to_array<7, 11, 3>(p);
  auto const want = from_hex(reference::resizes[0].pillow);
  auto const same = [&](auto const& x) { return std::equal(want.begin(), want.end(), x.data()); };
  data::picture const q = data::resize<5, 4>(p);
  CHECK(q.rows == 5);
  CHECK(q.columns == 4);
  CHECK(q.bytes == want);
  array<std::uint8_t, 5, 4, 3> const b = data::resize<5, 4, 3>(p), c = data::resize<5, 4>(a);
  CHECK(same(b));
  CHECK(same(c));
  CHECK(data::resize<7, 11>(p) == p);
  auto set = std::vector{std::tuple{p, 1}} | data::map<0>(data::resize<5, 4, 3>) | data::batch<1>();
  static_assert(std::is_same_v<decltype(set)::element, std::tuple<array<std::uint8_t, 1, 5, 4, 3>, array<int, 1>>>);
  for (auto const& [x, y] : set.epoch(0)) CHECK(same(x));
  CHECK(error_of([&] { (void)data::resize<5, 4, 1>(p); }) == 165);
  CHECK(error_of([&] { (void)data::resize<5, 4>(data::picture{}); }) == 165);
}
