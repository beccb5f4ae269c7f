// SPDX-License-Identifier: BSD-3-Clause
// Random pictures for benchmarks.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/data/random_images.hpp>

#include "file.hpp"

using namespace etna;

TEST_CASE("the same for the same seed") {
  auto const a = data::random_images<5, 7, 3>(1000, 4, 1), b = data::random_images<5, 7, 3>(1000, 4, 2);
  CHECK(a.size() == 1000);
  int count[4]{}, differ = 0;
  double sum = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    auto const [x, y] = a[i];
    auto const [x2, y2] = a[i];
    auto const [z, label] = b[i];
    CHECK(std::equal(x.begin(), x.end(), x2.begin()));
    CHECK(y == y2);
    ++count[y];
    for (int k = 0; k < 105; ++k) sum += x.data()[k];
    differ += !std::equal(x.begin(), x.end(), z.begin());
  }
  for (int n : count) CHECK(n == doctest::Approx(250).epsilon(0.2));
  CHECK(sum / 105000 == doctest::Approx(127.5).epsilon(0.01));
  CHECK(differ == 1000);
  CHECK(test_data::error_of([] { (void)data::random_images<1, 1, 1>(1, 0); }) == 109);
}
