// SPDX-License-Identifier: BSD-3-Clause
// Pictures as they are in files: bytes, and sizes that the file says. Transforms take them, and arrays of bytes whose
// sizes are known while compiling. Read next: png.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

#include <etna/array/array.hpp>

#include "input.hpp"

namespace etna::data {

/// A picture: bytes row by row, pixel by pixel, 1 channel (gray) or 3 (red, green, blue).
struct picture {
  std::int64_t rows = 0, columns = 0, channels = 0;
  std::vector<std::uint8_t> bytes;
  std::size_t bytes_held() const { return sizeof(picture) + bytes.size(); }
  bool operator==(picture const&) const = default;
};

/// A header may claim more pixels than memory holds: no reader takes more than these.
inline constexpr std::uint64_t most_pixels = std::uint64_t(1) << 28;

namespace detail {

template <class T> struct is_pixel_array : std::false_type {};
template <extent H, extent W, extent C> struct is_pixel_array<array<std::uint8_t, H, W, C>>
    : std::bool_constant<(H > 0 && W > 0 && C > 0)> {};

/// Pixels of any kind, where they lie.
struct pixel_view {
  std::int64_t rows, columns, channels;
  std::uint8_t const* bytes;
};
inline std::string spelled(pixel_view const& p) {
  return std::to_string(p.rows) + " x " + std::to_string(p.columns) + " x " + std::to_string(p.channels);
}

/// All that takes a picture looks at it first: anybody may have set its sizes.
///
/// errors  E165 it has not the bytes that its sizes say
inline pixel_view look_at(picture const& p) {
  pixel_view const r{p.rows, p.columns, p.channels, p.bytes.data()};
  // By dividing, since the product may be no number.
  auto left = std::int64_t(p.bytes.size());
  bool empty = false, fits = true;
  for (std::int64_t const n : {p.rows, p.columns, p.channels}) {
    empty = empty || n == 0;
    fits = fits && n >= 0 && (n == 0 || left % n == 0);
    if (n > 0) left /= n;
  }
  if (!fits || (empty ? !p.bytes.empty() : left != 1))
    message::raise<165>("a picture of " + spelled(r) + " has " + std::to_string(p.bytes.size()) + " bytes");
  return r;
}
template <extent H, extent W, extent C> pixel_view look_at(array<std::uint8_t, H, W, C> const& x) {
  return {H, W, C, x.data()};
}

/// Pixels of H x W, written by fill(out): an array where the channels are known, otherwise a picture.
template <extent H, extent W, extent C, class X, class Fill> auto make_pixels(X const& from, Fill&& fill) {
  if constexpr (is_pixel_array<X>::value) return array<std::uint8_t, H, W, X::extents[2]>::build(fill);
  else if constexpr (C > 0) {
    if (from.channels != C)
      message::raise<165>("a picture of " + spelled(look_at(from)) + " where " + std::to_string(C) +
                          " channels are asked for");
    return array<std::uint8_t, H, W, C>::build(fill);
  } else {
    picture r{H, W, from.channels, std::vector<std::uint8_t>(std::size_t(H * W * from.channels))};
    fill(r.bytes.data());
    return r;
  }
}

/// The number of channels that was asked for: 0 what the file has.
///
/// source  gray of colours is Pillow's: ITU-R 601-2, in 16 bits
inline picture with_channels(picture p, int channels) {
  if (channels == 0 || channels == p.channels) return p;
  picture r{p.rows, p.columns, channels, std::vector<std::uint8_t>(std::size_t(p.rows * p.columns * channels))};
  std::uint8_t const* from = p.bytes.data();
  for (std::uint8_t& to : r.bytes) {
    if (channels == 1) {
      to = std::uint8_t((from[0] * 19595u + from[1] * 38470u + from[2] * 7471u + 0x8000u) >> 16);
      from += 3;
    } else to = from[(&to - r.bytes.data()) / 3];
  }
  return r;
}
inline void check_channels(int channels) {
  if (channels != 0 && channels != 1 && channels != 3)
    message::raise<165>(std::to_string(channels) + " channels are asked for; 1 is gray, 3 are colours, 0 is as it is");
}

}  // namespace detail

/// Pixels that transforms take: a picture, or an array<std::uint8_t, H, W, C>.
template <class X> concept pixels =
    std::is_same_v<std::remove_cvref_t<X>, picture> || detail::is_pixel_array<std::remove_cvref_t<X>>::value;

/// to_array<32, 32, 3>(p): a picture that has this size, as an array.
///
/// shape   -> [H, W, C]
/// errors  E165 it has another size, or not the bytes that its sizes say
/// example test/unit/data/image.cpp  [a picture as an array]
template <extent H, extent W, extent C> requires(H > 0 && W > 0 && C > 0)
struct to_array_fn {
  array<std::uint8_t, H, W, C> operator()(picture const& p) const {
    auto const from = detail::look_at(p);
    if (from.rows != H || from.columns != W || from.channels != C)
      message::raise<165>("a picture of " + detail::spelled(from) + ", not of " + detail::spelled({H, W, C, nullptr}));
    return array<std::uint8_t, H, W, C>::build([&](std::uint8_t* out) { std::copy_n(from.bytes, H * W * C, out); });
  }
};
template <extent H, extent W, extent C> inline constexpr to_array_fn<H, W, C> to_array{};

}  // namespace etna::data

#include <etna/set_back.hpp>
