// SPDX-License-Identifier: BSD-3-Clause
// A folder in MNIST's layout (MNIST, Fashion-MNIST, KMNIST): four IDX files, gzip or plain, read
// and split into train, validation and test. Pixels stay bytes; batches scale them.
// Read next: shuffle.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <span>

#include "idx.hpp"

namespace etna::data {

/// Some examples: pixels one image after the other, and a label each. It borrows from image_set.
struct examples {
  std::int64_t pixels = 0;  // of one image
  std::span<std::uint8_t const> images;
  std::span<std::int32_t const> labels;
  std::int64_t size() const { return std::int64_t(labels.size()); }
  /// Examples [begin, end).
  examples slice(std::int64_t begin, std::int64_t end) const {
    auto const at = [&](std::int64_t n) { return std::size_t(n * pixels); };
    return {pixels, images.subspan(at(begin), at(end - begin)),
            labels.subspan(std::size_t(begin), std::size_t(end - begin))};
  }
};

/// All examples of a pair of files.
struct image_set {
  std::int64_t rows = 0, columns = 0;
  std::vector<std::uint8_t> images;
  std::vector<std::int32_t> labels;
  examples all() const { return {rows * columns, images, labels}; }
};

/// Pixels as numbers from 0 to 1.
inline std::vector<float> scaled(std::span<std::uint8_t const> pixels) {
  std::vector<float> r(pixels.size());
  std::transform(pixels.begin(), pixels.end(), r.begin(), [](std::uint8_t x) { return float(x) / 255.0f; });
  return r;
}

namespace detail {

// The file itself, or packed.
inline std::filesystem::path data_file(std::filesystem::path const& folder, std::string const& name) {
  std::error_code why;
  auto const plain = folder / name, packed = folder / (name + ".gz");
  return std::filesystem::exists(packed, why) && !std::filesystem::exists(plain, why) ? packed : plain;
}
inline bool has(std::filesystem::path const& folder, std::string const& name) {
  std::error_code why;
  return std::filesystem::exists(data_file(folder, name), why);
}

}  // namespace detail

/// Read the images and labels of one part: "train" or "t10k".
///
/// errors  as read_idx; E104 one has more than the other, E109 a label that is not below `classes`
inline image_set read_images(std::filesystem::path const& folder, std::string const& part, int classes = 10) {
  auto const images_file = detail::data_file(folder, part + "-images-idx3-ubyte");
  auto const labels_file = detail::data_file(folder, part + "-labels-idx1-ubyte");
  auto images = read_idx<3>(images_file);
  auto labels = read_idx<1>(labels_file);
  if (images.shape[0] != labels.shape[0])
    message::raise<104>(images_file.string() + " has " + std::to_string(images.shape[0]) + ", " + labels_file.string() +
                        " has " + std::to_string(labels.shape[0]));
  for (std::size_t i = 0; i < labels.elements.size(); ++i)
    if (labels.elements[i] >= classes)
      message::raise<109>(labels_file.string() + ": number " + std::to_string(i) + " is " +
                          std::to_string(labels.elements[i]) + " of " + std::to_string(classes));
  return {
      images.shape[1], images.shape[2], std::move(images.elements), {labels.elements.begin(), labels.elements.end()}};
}

/// A data set in three parts; the second file of images is empty where only the first was there.
struct mnist {
  image_set first, second;
  examples train, validation, test;
};

/// Load a data set folder and split it.
///
/// With both pairs of files, the last fifth of the training pair is for validation (48,000 and
/// 12,000) and the t10k pair is the test. With the t10k pair alone, the test is its last fifth, and
/// a sixteenth of the rest is for validation (7,500 / 500 / 2,000).
///
/// errors  as read_images; E104 the two pairs have images of different sizes
/// example test/unit/data/mnist.cpp  [splits the digits]
inline mnist load_mnist(std::filesystem::path const& folder) {
  mnist r;
  if (!detail::has(folder, "train-images-idx3-ubyte") && detail::has(folder, "t10k-images-idx3-ubyte")) {
    r.first = read_images(folder, "t10k");
    auto const all = r.first.all();
    std::int64_t const known = all.size() - all.size() / 5, train = known - known / 16;
    r.train = all.slice(0, train);
    r.validation = all.slice(train, known);
    r.test = all.slice(known, all.size());
  } else {
    r.first = read_images(folder, "train");
    r.second = read_images(folder, "t10k");
    if (r.first.rows != r.second.rows || r.first.columns != r.second.columns)
      message::raise<104>(folder.string() + ": the two pairs have images of different sizes");
    auto const all = r.first.all();
    std::int64_t const train = all.size() - all.size() / 5;
    r.train = all.slice(0, train);
    r.validation = all.slice(train, all.size());
    r.test = r.second.all();
  }
  return r;
}

}  // namespace etna::data

#include <etna/set_back.hpp>
