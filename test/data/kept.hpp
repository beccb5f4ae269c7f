// SPDX-License-Identifier: BSD-3-Clause
// A checkpoint that is not kept but made: entries as huggingface.py lists them, with numbers by its formula.
#pragma once
#include <string>
#include <vector>

#include <etna/data/safetensors.hpp>

namespace huggingface {

struct kept {
  std::string name;
  std::vector<std::int64_t> shape;
  double scale, shift;
};

/// Entry number k holds scale * (what writer.py's formula gives for seed k + 1) + shift, as f64.
inline void write_checkpoint(std::filesystem::path const& path, std::vector<kept> const& entries) {
  std::vector<std::vector<double>> numbers;
  std::vector<etna::data::entry> all;
  for (auto const& e : entries) {
    std::size_t n = 1;
    for (auto size : e.shape) n *= std::size_t(size);
    std::uint32_t s = std::uint32_t(numbers.size() + 1) * 2654435761u + 12345u;
    auto& x = numbers.emplace_back(n);
    for (double& v : x) {
      s = s * 1664525u + 1013904223u;
      v = e.scale * (-1 + 2 * ((s >> 8) / 16777216.)) + e.shift;
    }
    all.push_back({e.name, "F64", e.shape, {reinterpret_cast<unsigned char const*>(x.data()), n * sizeof(double)}});
  }
  etna::data::write_safetensors(path, all);
}

}  // namespace huggingface
