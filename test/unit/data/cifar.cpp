// SPDX-License-Identifier: BSD-3-Clause
// CIFAR's binary files.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/data/cifar.hpp>
#include <etna/data/pipeline.hpp>

#include "file.hpp"

using namespace etna;
using namespace test_data;

namespace {
// Byte i of picture n.
unsigned char pixel(int n, int i) { return static_cast<unsigned char>((n * 31 + i * 7 + i / 1024 * 5) % 256); }
bytes records(int first, int count, bool two_labels) {
  bytes r;
  for (int n = first; n < first + count; ++n) {
    if (two_labels) r.push_back(static_cast<unsigned char>(n % 20));
    r.push_back(static_cast<unsigned char>(n % (two_labels ? 100 : 10)));
    for (int i = 0; i < 3072; ++i) r.push_back(pixel(n, i));
  }
  return r;
}
}  // namespace

TEST_CASE("records of planes become pixels") {
  folder in;
  for (int k = 1; k <= 5; ++k) put(in / ("data_batch_" + std::to_string(k) + ".bin"), records(k * 3 - 3, 3, false));
  put(in / "test_batch.bin", records(40, 2, false));
  auto const train = data::cifar10(in.path), test = data::cifar10(in.path, data::cifar_part::test);
  CHECK(train.size() == 15);
  CHECK(test.size() == 2);
  for (int n = 0; n < 15; ++n) {
    auto const [x, y] = train[std::size_t(n)];
    CHECK(y == n % 10);
    bool same = true;
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 32; ++r)
        for (int k = 0; k < 32; ++k) same = same && x(r, k, c) == pixel(n, c * 1024 + r * 32 + k);
    CHECK(same);
  }
  CHECK(std::get<1>(test[1]) == 1);
  auto p = train | data::batch<5>();
  static_assert(std::is_same_v<decltype(p)::element, std::tuple<array<std::uint8_t, 5, 32, 32, 3>, array<int, 5>>>);
  CHECK(p.size() == 3);
}

TEST_CASE("CIFAR-100 has two labels") {
  folder in;
  put(in / "train.bin", records(90, 4, true));
  auto const set = data::cifar100(in.path);
  CHECK(set.labels == std::vector<std::int32_t>{90, 91, 92, 93});
  CHECK(set.coarse == std::vector<std::int32_t>{10, 11, 12, 13});
  CHECK(std::get<0>(set[3])(1, 2, 1) == pixel(93, 1024 + 34));
  CHECK(error_of([&] { (void)data::cifar100(in.path, data::cifar_part::test); }) == 101);
}

TEST_CASE("files that are cut off, empty, missing or of others") {
  folder in;
  auto load = [&] { (void)data::cifar10(in.path, data::cifar_part::test); };
  CHECK(error_of(load) == 101);
  auto whole = records(0, 2, false);
  for (std::size_t n : {std::size_t(0), std::size_t(1), std::size_t(3072), std::size_t(3074), whole.size() - 1}) {
    put(in / "test_batch.bin", bytes(whole.begin(), whole.begin() + std::ptrdiff_t(n)));
    CHECK(error_of(load) == 102);
  }
  whole[3073] = 10;
  put(in / "test_batch.bin", whole);
  CHECK(error_of(load) == 109);
  try {
    load();
  } catch (error const& e) { CHECK(std::string(e.what()).find("record 1 has label 10 of 10") != std::string::npos); }
}
