// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes the .npz reader: a tree, and one array.
#include <etna/language.hpp>

#include <etna/interop/npz.hpp>

#include "fuzz.hpp"
#include "unit/interop/npz.inc.hpp"

using namespace etna;

namespace {
struct inner {
  array<bool, 3> m;
};
struct params {
  array<float, 2, 3> w;
  array<double, "n"_n, 2> b;
  struct inner inner;
  std::int64_t step;
};
}  // namespace

std::vector<std::string> fuzz::seeds() {
  std::vector<std::string> r;
  for (auto s : {npz_files::tree, npz_files::packed, npz_files::two, npz_files::none, npz_files::bzip2,
                 npz_files::twice, npz_files::ours})
    r.emplace_back(s);
  return r;
}

// minizip's buffers, and twice what deflate packs into n bytes.
std::size_t fuzz::most(std::size_t n) { return (1 << 18) + 2 * 1032 * (n + 1); }

void fuzz::read(std::filesystem::path const& path) {
  try {
    (void)load_npz<params>(path);
  } catch (error const&) {}
  (void)load_npz<array<float, "n"_n, 3>>(path, "arr_0");
}
