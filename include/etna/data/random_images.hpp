// SPDX-License-Identifier: BSD-3-Clause
// Pictures of random bytes with random labels, for benchmarks: a set that takes no memory. Read next: cifar.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cstring>
#include <tuple>

#include <etna/array/array.hpp>

#include "generator.hpp"

namespace etna::data {

/// The set: example i is {array<std::uint8_t, H, W, C>, label}, a function of seed and i.
template <extent H, extent W, extent C> struct random_image_set {
  std::size_t count;
  std::int32_t classes;
  std::uint64_t seed;
  using image = array<std::uint8_t, H, W, C>;
  std::size_t size() const { return count; }
  std::tuple<image, std::int32_t> operator[](std::size_t i) const {
    generator random(mix(seed, i));
    auto const label = std::int32_t(random.integer(std::uint64_t(classes)));
    return {image::build([&](std::uint8_t* out) {
              for (std::size_t left = std::size_t(H * W * C), n; left > 0; left -= n, out += n) {
                std::uint64_t const bytes = random();
                n = std::min(left, sizeof bytes);
                std::memcpy(out, &bytes, n);
              }
            }),
            label};
  }
};

/// random_images<224, 224, 3>(count, classes, seed)
///
/// errors  E109 no classes
/// example test/unit/data/random_images.cpp  [the same for the same seed]
template <extent H, extent W, extent C> requires(H > 0 && W > 0 && C > 0)
random_image_set<H, W, C> random_images(std::size_t count, std::int32_t classes, std::uint64_t seed = 0) {
  if (classes < 1) message::raise<109>("random_images of " + std::to_string(classes) + " classes");
  return {count, classes, seed};
}

}  // namespace etna::data

#include <etna/set_back.hpp>
