// SPDX-License-Identifier: BSD-3-Clause
// Parts of pictures, in the middle or anywhere, and pictures turned round left to right. Read next: normalise.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include "generator.hpp"
#include "image.hpp"

namespace etna::data {

namespace detail {

/// Rows top.. and columns left.. of a picture; what lies outside of it is 0.
inline void cut(pixel_view const& from, std::int64_t top, std::int64_t left, std::int64_t rows, std::int64_t columns,
                std::uint8_t* out) {
  std::int64_t const c = from.channels;
  std::int64_t const first = std::clamp<std::int64_t>(-left, 0, columns);
  std::int64_t const last = std::clamp<std::int64_t>(from.columns - left, first, columns);
  for (std::int64_t r = 0; r < rows; ++r, out += columns * c) {
    bool const inside = top + r >= 0 && top + r < from.rows;
    std::int64_t const a = inside ? first : columns, b = inside ? last : columns;
    std::fill_n(out, a * c, std::uint8_t(0));
    if (a < b) std::copy_n(from.bytes + ((top + r) * from.columns + left + a) * c, (b - a) * c, out + a * c);
    std::fill_n(out + b * c, (columns - b) * c, std::uint8_t(0));
  }
}
[[noreturn]] inline void too_small(char const* what, pixel_view const& from, std::int64_t rows, std::int64_t columns) {
  message::raise<165>(std::string(what) + ": a picture of " + spelled(from) + " has no " + std::to_string(rows) +
                      " x " + std::to_string(columns) + " pixels");
}

}  // namespace detail

/// center_crop<H, W>(x): its middle. center_crop<H, W, C> makes an array of a picture.
///
/// shape   [h, w, c] -> [H, W, c]
/// errors  E165 the picture is smaller, or has other channels than C
/// source  torchvision.transforms.CenterCrop: a half pixel goes to the even side
/// example test/unit/data/crop.cpp  [the middle]
template <extent H, extent W, extent C = 0> requires(H > 0 && W > 0 && C >= 0)
struct center_crop_fn {
  template <pixels X> requires(C == 0 || std::is_same_v<X, picture>)
  auto operator()(X const& x) const {
    auto const from = detail::look_at(x);
    if (from.rows < H || from.columns < W) detail::too_small("center_crop", from, H, W);
    // Halves are rounded to even, as Python's round does.
    auto start = [](std::int64_t over) { return over / 2 + (over % 4 == 3 ? 1 : 0); };
    return detail::make_pixels<H, W, C>(
        x, [&](std::uint8_t* out) { detail::cut(from, start(from.rows - H), start(from.columns - W), H, W, out); });
  }
};
template <extent H, extent W, extent C = 0> inline constexpr center_crop_fn<H, W, C> center_crop{};

/// random_crop<H, W>(padding): a part of this size anywhere in the picture with so many pixels of 0 around it, each
/// place equally likely. random_crop<H, W, C> makes an array of a picture.
///
/// shape   [h, w, c] -> [H, W, c]
/// errors  E165 the picture is smaller with its padding, or has other channels than C; E129 a negative padding
/// source  torchvision.transforms.RandomCrop
/// example test/unit/data/crop.cpp  [a part from anywhere]
template <extent H, extent W, extent C> requires(H > 0 && W > 0 && C >= 0)
struct random_crop_fn {
  std::int64_t padding;
  template <pixels X> requires(C == 0 || std::is_same_v<X, picture>)
  auto operator()(X const& x, generator& random) const {
    auto const from = detail::look_at(x);
    std::int64_t const rows = from.rows + 2 * padding - H, columns = from.columns + 2 * padding - W;
    if (rows < 0 || columns < 0) detail::too_small("random_crop", from, H, W);
    auto const top = std::int64_t(random.integer(std::uint64_t(rows) + 1)) - padding;
    auto const left = std::int64_t(random.integer(std::uint64_t(columns) + 1)) - padding;
    return detail::make_pixels<H, W, C>(x, [&](std::uint8_t* out) { detail::cut(from, top, left, H, W, out); });
  }
};
template <extent H, extent W, extent C = 0> requires(H > 0 && W > 0 && C >= 0)
random_crop_fn<H, W, C> random_crop(int padding = 0) {
  if (padding < 0) message::raise<129>("random_crop: a padding of " + std::to_string(padding));
  return {padding};
}

/// flip(x): left becomes right.
struct flip_fn {
  template <pixels X> X operator()(X const& x) const {
    auto const from = detail::look_at(x);
    auto turn = [&](std::uint8_t* out) {
      std::int64_t const c = from.channels;
      for (std::int64_t r = 0; r < from.rows; ++r)
        for (std::int64_t k = from.columns - 1; k >= 0; --k)
          for (std::int64_t i = 0; i < c; ++i) *out++ = from.bytes[(r * from.columns + k) * c + i];
    };
    if constexpr (std::is_same_v<X, picture>) {
      picture r{x.rows, x.columns, x.channels, std::vector<std::uint8_t>(x.bytes.size())};
      turn(r.bytes.data());
      return r;
    } else return X::build(turn);
  }
};
inline constexpr flip_fn flip{};

/// random_flip(p): left becomes right with probability p.
///
/// source  torchvision.transforms.RandomHorizontalFlip
/// example test/unit/data/crop.cpp  [half of them are turned round]
struct random_flip_fn {
  double probability;
  template <pixels X> X operator()(X const& x, generator& random) const {
    return random.uniform() < probability ? flip(x) : x;
  }
};
inline random_flip_fn random_flip(double probability = 0.5) { return {probability}; }

}  // namespace etna::data

#include <etna/set_back.hpp>
