// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes the index of a checkpoint of several files: the index, and a tree loaded as it says from two files that are
// good.
#include <etna/language.hpp>

#include <etna/data/safetensors.hpp>
#include <etna/dist/load_sharded.hpp>
#include <etna/group/one_process.hpp>

#include "fuzz.hpp"

using namespace etna;

namespace {

struct state {
  array<std::uint8_t, "n"_n, 2> w;
  array<bool, 3> m;
};
// The index is the file that is fuzzed; beside it are "a" and "b".
std::filesystem::path const& folder() {
  static std::filesystem::path const path = [] {
    auto const p = std::filesystem::temp_directory_path() / ("etna-fuzz-" + std::to_string(::getpid()));
    std::filesystem::create_directories(p);
    static unsigned char const bytes[8]{1, 1, 1, 1, 1, 1, 1, 1};
    data::write_safetensors(
        p / "a", std::vector<data::entry>{{"w[0:2,0:2]", "U8", {2, 2}, {bytes, 4}}, {"w", "U8", {2, 2}, {bytes, 4}}});
    data::write_safetensors(
        p / "b", std::vector<data::entry>{{"w[2:4,0:2]", "U8", {2, 2}, {bytes, 4}}, {"m", "BOOL", {3}, {bytes, 3}}});
    std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(fuzz::file()), p / "index.json");
    std::atexit([] { std::filesystem::remove_all(folder()); });
    return p;
  }();
  return path;
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {R"({"metadata":{"total_size":11,"whole_shapes":{"w":[4,2]}},"weight_map":{"w[0:2,0:2]":"a",)"
          R"("w[2:4,0:2]":"b","m":"b"}})",
          R"({"metadata":{"format":"pt"},"weight_map":{"w":"a","m":"b"}})", R"({"weight_map":{}})"};
}

std::size_t fuzz::most(std::size_t n) { return (1 << 16) + 32 * n; }

void fuzz::read(std::filesystem::path const&) {
  dist::one_process alone;
  dist::mesh<"data"_n> const m(alone);
  state t{};
  dist::load_sharded(m, folder() / "index.json", t);
}
