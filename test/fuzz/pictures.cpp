// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes the readers of pictures: PNG and JPEG, each as it is and as gray and colours.
#include <etna/language.hpp>

#include <etna/data/image_folder.hpp>

#include "data/pictures.inc.hpp"
#include "fuzz.hpp"

std::vector<std::string> fuzz::seeds() {
  std::vector<std::string> r;
  for (auto const& p : reference::pictures) {
    std::string_view const digits = p.file;
    std::string file;
    for (std::size_t i = 0; i < digits.size(); i += 2)
      file += char(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
    r.push_back(file);
  }
  return r;
}

// Three bytes for each pixel that is possible: deflate packs 1032 to one, and a bit of JPEG may be a block of 64. A
// decoder keeps a progressive file's numbers too, of two bytes each.
std::size_t fuzz::most(std::size_t n) { return (1 << 22) + 8192 * n; }

void fuzz::read(std::filesystem::path const& path) {
  for (int channels : {0, 1, 3}) {
    try {
      auto const p = etna::data::read_picture(path, channels);
      if (p.bytes.size() != std::size_t(p.rows * p.columns * p.channels)) __builtin_trap();
      if (channels != 0 && p.channels != channels) __builtin_trap();
    } catch (etna::error const&) {}
  }
}
