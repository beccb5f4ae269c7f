// SPDX-License-Identifier: BSD-3-Clause
// What the tests of pictures share: bytes from hexadecimal digits, files of the reference, and pictures by a formula.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>

#include <etna/data/image.hpp>

#include "../../data/pictures.inc.hpp"
#include "file.hpp"

namespace test_data {

inline bytes from_hex(std::string_view digits) {
  bytes r;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    r.push_back(static_cast<unsigned char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16)));
  return r;
}
inline reference::picture_file const& picture_file(std::string_view name) {
  return *std::find_if(std::begin(reference::pictures), std::end(reference::pictures),
                       [&](auto const& p) { return name == p.name; });
}
// test/data/pictures.py, bytes_of
inline etna::data::picture by_formula(int rows, int columns, int channels) {
  etna::data::picture p{rows, columns, channels, {}};
  for (long long i = 0; i < rows * columns * channels; ++i)
    p.bytes.push_back(std::uint8_t((i * i * 7 + i * 37 + 11) % 251));
  return p;
}
// The greatest difference of two bytes at one place.
inline int apart(bytes const& a, bytes const& b) {
  if (a.size() != b.size()) return 1000;
  int most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(int(a[i]) - int(b[i])));
  return most;
}

}  // namespace test_data
