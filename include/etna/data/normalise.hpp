// SPDX-License-Identifier: BSD-3-Clause
// Bytes as floating numbers, of a mean and a deviation for each channel. Read next: random_images.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <array>
#include <cstddef>

#include "image.hpp"

namespace etna::data {

namespace detail {
template <class X> concept pixel_array = is_pixel_array<std::remove_cvref_t<X>>::value;
}  // namespace detail

/// to_float(x): bytes as numbers from 0 to 1.
///
/// shape   [H, W, C] -> [H, W, C]
/// source  torchvision.transforms.ToTensor, with the channels last
/// example test/unit/data/normalise.cpp  [bytes as numbers]
struct to_float_fn {
  template <extent H, extent W, extent C> requires detail::pixel_array<array<std::uint8_t, H, W, C>>
  array<float, H, W, C> operator()(array<std::uint8_t, H, W, C> const& x) const {
    return array<float, H, W, C>::build([&](float* out) {
      std::uint8_t const* from = x.data();
      for (extent i = 0; i < H * W * C; ++i) out[i] = float(from[i]) / 255.0f;
    });
  }
};
inline constexpr to_float_fn to_float{};

/// normalise({m...}, {s...})(x): (x / 255 - mean) / deviation, channel by channel, as floats.
///
/// shape   [H, W, C] -> [H, W, C], with C numbers each
/// errors  E165 a deviation is not above 0
/// source  torchvision.transforms.Normalize
/// example test/unit/data/normalise.cpp  [bytes as numbers]
template <std::size_t Channels> struct normalise_fn {
  std::array<std::array<float, 256>, Channels> number;  // of each byte
  template <extent H, extent W> requires(H > 0 && W > 0)
  array<float, H, W, extent(Channels)> operator()(array<std::uint8_t, H, W, extent(Channels)> const& x) const {
    return array<float, H, W, extent(Channels)>::build([&](float* out) {
      std::uint8_t const* from = x.data();
      for (extent i = 0; i < H * W; ++i)
        for (std::size_t c = 0; c < Channels; ++c) *out++ = number[c][*from++];
    });
  }
};
template <std::size_t Channels>
normalise_fn<Channels> normalise(double const (&mean)[Channels], double const (&deviation)[Channels]) {
  normalise_fn<Channels> r;
  for (std::size_t c = 0; c < Channels; ++c) {
    if (!(deviation[c] > 0)) message::raise<165>("normalise: a deviation of " + std::to_string(deviation[c]));
    for (int x = 0; x < 256; ++x) r.number[c][std::size_t(x)] = float((x / 255.0 - mean[c]) / deviation[c]);
  }
  return r;
}
/// The other spelling.
template <std::size_t Channels>
normalise_fn<Channels> normalize(double const (&mean)[Channels], double const (&deviation)[Channels]) {
  return normalise(mean, deviation);
}

}  // namespace etna::data

#include <etna/set_back.hpp>
