// SPDX-License-Identifier: BSD-3-Clause
// Batches: every index once, the rest dropped or kept, and rows gathered into given memory.
#include <doctest/doctest.h>

#include <vector>

#include <etna/data/batch.hpp>

using namespace etna::data;
using order = std::vector<std::uint32_t>;

TEST_CASE("every index comes once") {
  order const all{5, 3, 1, 0, 2, 4, 6};
  order got;
  for (auto rows : batches(all, 3, rest::keep)) got.insert(got.end(), rows.begin(), rows.end());
  CHECK(got == all);
  CHECK(batches(all, 3, rest::keep).size() == 3);
  CHECK(batches(all, 3, rest::keep)[2].size() == 1);
}

TEST_CASE("the rest is dropped where it is asked for") {
  order const all{5, 3, 1, 0, 2, 4, 6};
  int count = 0;
  for (auto rows : batches(all, 3)) {
    CHECK(rows.size() == 3);
    ++count;
  }
  CHECK(count == 2);
  CHECK(batches(all, 8).size() == 0);
  CHECK(batches(all, 7).size() == 1);
  CHECK(batches({}, 3, rest::keep).size() == 0);
}

TEST_CASE("rows are gathered one behind the other") {
  std::vector<std::uint8_t> const table{0, 51, 102, 153, 204, 255};
  order const rows{2, 0, 2};
  float numbers[6];
  gather(std::span(table), 2, rows, numbers);
  CHECK(std::vector<float>(numbers, numbers + 6) == std::vector<float>{0.8f, 1.0f, 0.0f, 0.2f, 0.8f, 1.0f});
  std::uint8_t same[6];
  gather(std::span(table), 2, rows, same);
  CHECK(std::vector<int>(same, same + 6) == std::vector<int>{204, 255, 0, 51, 204, 255});
  std::vector<std::int32_t> const labels{7, 8, 9};
  std::int32_t picked[3];
  gather(std::span(labels), 1, rows, picked);
  CHECK(std::vector<int>(picked, picked + 3) == std::vector<int>{9, 7, 9});
}
