// SPDX-License-Identifier: BSD-3-Clause
// Pictures of another size, bilinear, and with all pixels that a smaller one stands for (no aliasing): Pillow's
// numbers, to the byte. Read next: crop.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cmath>

#include "image.hpp"

namespace etna::data {

namespace detail {

/// For each pixel of a line of `to`, which pixels of a line of `from` it is made of, and their weights in 22 bits.
///
/// source  Pillow, Resample.c: precompute_coeffs with bilinear_filter, normalize_coeffs_8bpc
struct resampling {
  struct part {
    std::int64_t first, count;
    std::size_t weights;  // where they begin
  };
  std::vector<part> parts;
  std::vector<std::int32_t> weights;

  /// To the nearest number, halves up, as Pillow does.
  static std::int64_t rounded_up(double x) { return std::int64_t(std::floor(x + 0.5)); }
  resampling(std::int64_t from, std::int64_t to) {
    double const scale = double(from) / double(to), stretch = std::max(scale, 1.0);
    std::vector<double> line;
    for (std::int64_t i = 0; i < to; ++i) {
      double const center = (double(i) + 0.5) * scale;
      auto const first = std::max<std::int64_t>(rounded_up(center - stretch), 0);
      auto const last = std::min(rounded_up(center + stretch), from);
      line.clear();
      double sum = 0;
      for (std::int64_t k = first; k < last; ++k) {
        double const away = std::abs((double(k) - center + 0.5) * (1 / stretch));
        line.push_back(away < 1 ? 1 - away : 0);
        sum += line.back();
      }
      parts.push_back({first, last - first, weights.size()});
      for (double w : line) weights.push_back(std::int32_t(rounded_up((sum != 0 ? w / sum : w) * (1 << 22))));
    }
  }
  static std::uint8_t rounded(std::int32_t sum) { return std::uint8_t(std::clamp(sum >> 22, 0, 255)); }
};

/// Along the rows first, then along the columns, each rounded to bytes.
inline void resample(pixel_view const& from, std::int64_t rows, std::int64_t columns, std::uint8_t* out) {
  constexpr std::int32_t half = 1 << 21;
  std::int64_t const c = from.channels, width = columns * c;
  std::vector<std::uint8_t> lines;
  std::uint8_t const* across = from.bytes;
  if (columns != from.columns) {
    resampling const x(from.columns, columns);
    lines.resize(std::size_t(from.rows * width));
    std::uint8_t* to = lines.data();
    for (std::int64_t r = 0; r < from.rows; ++r)
      for (auto const& p : x.parts)
        for (std::int64_t k = 0; k < c; ++k) {
          std::int32_t sum = half;
          std::uint8_t const* at = from.bytes + (r * from.columns + p.first) * c + k;
          for (std::int64_t i = 0; i < p.count; ++i) sum += at[i * c] * x.weights[p.weights + std::size_t(i)];
          *to++ = resampling::rounded(sum);
        }
    across = lines.data();
  }
  if (rows == from.rows) {
    std::copy_n(across, rows * width, out);
    return;
  }
  resampling const y(from.rows, rows);
  std::vector<std::int32_t> sums(static_cast<std::size_t>(width));
  for (auto const& p : y.parts) {
    std::fill(sums.begin(), sums.end(), half);
    for (std::int64_t i = 0; i < p.count; ++i) {
      std::int32_t const w = y.weights[p.weights + std::size_t(i)];
      std::uint8_t const* at = across + (p.first + i) * width;
      for (std::int64_t k = 0; k < width; ++k) sums[std::size_t(k)] += at[k] * w;
    }
    for (std::int32_t s : sums) *out++ = resampling::rounded(s);
  }
}

}  // namespace detail

/// resize<H, W>(x): another size, bilinear, as Pillow's resize((W, H), BILINEAR), and jax.image.resize with "linear"
/// but for rounding. (Along the lines first; Pillow 13 begins with the other axis for some sizes, and a byte may be
/// another by 1 then.) resize<H, W, C> makes an array of a picture.
///
/// shape   [h, w, c] -> [H, W, c]; a picture stays one where C is not given
/// errors  E165 the picture has no pixels, or other channels than C
/// source  Pillow, Resample.c
/// example test/unit/data/resize.cpp  [Pillow's bytes]
template <extent H, extent W, extent C = 0> requires(H > 0 && W > 0 && C >= 0)
struct resize_fn {
  template <pixels X> requires(C == 0 || std::is_same_v<X, picture>)
  auto operator()(X const& x) const {
    auto const from = detail::look_at(x);
    if (from.rows < 1 || from.columns < 1) message::raise<165>("resize: a picture of " + detail::spelled(from));
    return detail::make_pixels<H, W, C>(x, [&](std::uint8_t* out) { detail::resample(from, H, W, out); });
  }
};
template <extent H, extent W, extent C = 0> inline constexpr resize_fn<H, W, C> resize{};

}  // namespace etna::data

#include <etna/set_back.hpp>
