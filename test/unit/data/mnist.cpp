// SPDX-License-Identifier: BSD-3-Clause
// Data set folders: which files make which parts, and what does not fit together.
#include <doctest/doctest.h>

#include <etna/data/mnist.hpp>

#include "file.hpp"

using namespace test_data;
using namespace etna::data;

namespace {

// n images of 2 x 2 pixels, each with its number in every pixel, and labels 0, 1, ... 9, 0, ...
void put_part(folder const& f, std::string const& part, std::uint32_t n, std::uint32_t side = 2) {
  bytes images, labels;
  for (std::uint32_t i = 0; i < n; ++i) {
    images.insert(images.end(), side * side, static_cast<unsigned char>(i));
    labels.push_back(static_cast<unsigned char>(i % 10));
  }
  put(f / (part + "-images-idx3-ubyte"), idx_bytes({n, side, side}, images));
  put(f / (part + "-labels-idx1-ubyte"), idx_bytes({n}, labels));
}

}  // namespace

TEST_CASE("two pairs of files: the last fifth of train is for validation") {
  folder f;
  put_part(f, "train", 100);
  put_part(f, "t10k", 30);
  auto const set = load_mnist(f.path);
  CHECK(set.train.size() == 80);
  CHECK(set.validation.size() == 20);
  CHECK(set.test.size() == 30);
  CHECK(set.train.pixels == 4);
  CHECK(set.validation.images[0] == 80);
  CHECK(set.validation.images.size() == 80);
  CHECK(set.validation.labels[19] == 9);
  CHECK(set.test.images[4 * 29 + 3] == 29);
}

TEST_CASE("the t10k pair alone gives all three parts") {
  folder f;
  put_part(f, "t10k", 200);
  auto const set = load_mnist(f.path);
  CHECK(set.train.size() == 150);
  CHECK(set.validation.size() == 10);
  CHECK(set.test.size() == 40);
  CHECK(set.validation.images[0] == 150);
  CHECK(set.test.images[0] == 160);
}

TEST_CASE("an empty data set is three empty parts") {
  folder f;
  put_part(f, "t10k", 0);
  CHECK(load_mnist(f.path).test.size() == 0);
}

TEST_CASE("counts that disagree are E104, labels out of range E109, missing files E101") {
  folder f;
  CHECK(error_of([&] { load_mnist(f.path); }) == 101);
  CHECK(error_of([&] { load_mnist(f / "no_such_folder"); }) == 101);
  put_part(f, "train", 10);
  CHECK(error_of([&] { load_mnist(f.path); }) == 101);
  put_part(f, "t10k", 10);
  CHECK(error_of([&] { load_mnist(f.path); }) == 0);
  put(f / "t10k-labels-idx1-ubyte", idx_bytes({9}, bytes(9)));
  CHECK(error_of([&] { load_mnist(f.path); }) == 104);
  put(f / "t10k-labels-idx1-ubyte", idx_bytes({10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 10}));
  CHECK(error_of([&] { load_mnist(f.path); }) == 109);
  put_part(f, "t10k", 10, 3);
  CHECK(error_of([&] { load_mnist(f.path); }) == 104);
}

TEST_CASE("pixels are scaled to 0 .. 1") {
  bytes const all{0, 51, 255};
  CHECK(scaled(all) == std::vector<float>{0.0f, 0.2f, 1.0f});
}

TEST_CASE("splits the digits") {
  if (digits().empty()) {
    MESSAGE("skipped: no digits (ETNA_MNIST is not set, and none lie beside the checkout)");
    return;
  }
  auto const set = load_mnist(digits());
  CHECK(set.first.rows == 28);
  CHECK(set.first.columns == 28);
  CHECK(set.train.size() == 7500);
  CHECK(set.validation.size() == 500);
  CHECK(set.test.size() == 2000);
  // The first labels of the published file, and the number of sevens in it.
  CHECK(std::vector<int>(set.train.labels.begin(), set.train.labels.begin() + 5) == std::vector<int>{7, 2, 1, 0, 4});
  CHECK(std::count(set.first.labels.begin(), set.first.labels.end(), 7) == 1028);
}
