// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes the safetensors reader: the archive, and a tree loaded from it.
#include <etna/language.hpp>

#include <etna/data/checkpoint.hpp>

#include "fuzz.hpp"

using namespace etna;

namespace {

std::string saved(std::string header, std::string const& data) {
  header.append((8 - header.size() % 8) % 8, ' ');
  std::string r;
  for (int i = 0; i < 8; ++i) r += char(header.size() >> (8 * i) & 255);
  return r + header + data;
}
struct state {
  array<float, "n"_n, 2> w;
  array<bool, 3> m;
  array<std::uint8_t, "i"_n, "j"_n, "k"_n> e;
  std::int64_t step;
};

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {saved(R"({"__metadata__":{"format":"pt"},"m":{"dtype":"BOOL","shape":[3],"data_offsets":[16,19]},)"
                R"("e":{"dtype":"U8","shape":[4611686018427387904,8,0],"data_offsets":[27,27]},)"
                R"("step":{"dtype":"I64","shape":[],"data_offsets":[19,27]},)"
                R"("w":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})",
                std::string(27, '\1')),
          saved(R"({"a":{"dtype":"BF16","shape":[0,7],"data_offsets":[0,0]}})", ""), saved("{}", "")};
}

// The file, and JSON's values: one of at least two letters may take 16 bytes, and lists double.
std::size_t fuzz::most(std::size_t n) { return (1 << 16) + 32 * n; }

void fuzz::read(std::filesystem::path const& path) {
  try {
    auto const a = etna::data::read_safetensors(path);
    std::size_t held = 0;
    for (auto const& e : a.entries)
      for (auto b : e.bytes) held += b;
    (void)held;
  } catch (etna::error const&) {}
  state t{};
  etna::data::load(t, path);
}
