// SPDX-License-Identifier: BSD-3-Clause
// CIFAR-10 and CIFAR-100 as binary files: records of a label (or two) and 32 x 32 pixels, channel by channel. In memory
// they are pixel by pixel, as everywhere else. Read next: csv.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <tuple>
#include <vector>

#include <etna/array/array.hpp>

#include "source.hpp"

namespace etna::data {

/// The data set of such files: example i is {array<std::uint8_t, 32, 32, 3>, label}.
struct cifar_set {
  std::vector<std::uint8_t> images;
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> coarse;  // CIFAR-100's 20 classes of classes
  using image = array<std::uint8_t, 32, 32, 3>;
  static constexpr std::size_t pixels = 32 * 32, bytes = 3 * pixels;

  std::size_t size() const { return labels.size(); }
  std::tuple<image, std::int32_t> operator[](std::size_t i) const {
    return {image::build([&](std::uint8_t* out) { std::copy_n(images.data() + i * bytes, bytes, out); }), labels[i]};
  }
};

namespace detail {

inline void read_cifar(std::filesystem::path const& path, int classes, int coarse_classes, cifar_set& to) {
  source from(path);
  std::size_t const head = coarse_classes ? 2 : 1;
  std::vector<unsigned char> record(head + cifar_set::bytes);
  for (std::size_t number = 0;; ++number) {
    std::size_t const n = from.read(record.data(), record.size());
    if (n == 0 && number > 0) return;
    if (n != record.size())
      message::raise<102>(path.string() + ": record " + std::to_string(number) + " has " + std::to_string(n) +
                          " bytes of " + std::to_string(record.size()));
    auto label = [&](std::size_t at, int below) {
      if (record[at] >= below)
        message::raise<109>(path.string() + ": record " + std::to_string(number) + " has label " +
                            std::to_string(record[at]) + " of " + std::to_string(below));
      return std::int32_t(record[at]);
    };
    if (coarse_classes) to.coarse.push_back(label(0, coarse_classes));
    to.labels.push_back(label(head - 1, classes));
    std::size_t const at = to.images.size();
    to.images.resize(at + cifar_set::bytes);
    for (std::size_t i = 0; i < cifar_set::bytes; ++i)
      to.images[at + i % cifar_set::pixels * 3 + i / cifar_set::pixels] = record[head + i];
  }
}

}  // namespace detail

enum class cifar_part { train, test };

/// CIFAR-10 of a folder with its binary files, data_batch_1.bin to data_batch_5.bin and test_batch.bin.
///
/// errors  E101 one is missing, E128 not readable, E102 the last record of one is cut off, or it has none, E109 a label
///         above 9, E107 too little memory
/// source  Krizhevsky, "The CIFAR-10 dataset", section Binary version
/// example test/unit/data/cifar.cpp  [records of planes become pixels]
inline cifar_set cifar10(std::filesystem::path const& folder, cifar_part part = cifar_part::train) try {
  cifar_set r;
  if (part == cifar_part::test) detail::read_cifar(folder / "test_batch.bin", 10, 0, r);
  else
    for (int k = 1; k <= 5; ++k) detail::read_cifar(folder / ("data_batch_" + std::to_string(k) + ".bin"), 10, 0, r);
  return r;
} catch (std::bad_alloc const&) { message::raise<107>(folder.string()); }

/// CIFAR-100 of a folder with its binary files, train.bin and test.bin: labels are the 100 fine ones.
///
/// errors  as cifar10
inline cifar_set cifar100(std::filesystem::path const& folder, cifar_part part = cifar_part::train) try {
  cifar_set r;
  detail::read_cifar(folder / (part == cifar_part::test ? "test.bin" : "train.bin"), 100, 20, r);
  return r;
} catch (std::bad_alloc const&) { message::raise<107>(folder.string()); }

}  // namespace etna::data

#include <etna/set_back.hpp>
