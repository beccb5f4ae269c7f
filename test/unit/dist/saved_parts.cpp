// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <etna/dist/saved_parts.hpp>
#include <fstream>

#include "../data/file.hpp"

using namespace etna;
using namespace etna::dist::detail;

namespace {
placed_leaf leaf(std::string path, sizes_t whole, std::vector<int> mesh, cut by, sizes_t shard) {
  placed_leaf r{std::move(path), "F32", 4, std::move(whole), std::move(shard), by, {}, nullptr};
  for (int n : mesh) r.mesh.size[r.mesh.axes++] = n;
  return r;
}
}  // namespace

TEST_CASE("names tell which part") {
  box const b{{0, 6}, {3, 6}};
  CHECK(part_name("a.kernel", b) == "a.kernel[0:3,6:12]");
  CHECK(box_in("a.kernel[0:3,6:12]", "a.kernel") == b);
  for (char const* other :
       {"a.kernel", "a.kernel[]", "a.kernel[0:3", "a.kernel[0:3,]", "a.kernel[3:0]", "a.kernel[-1:2]", "a.kernel[0-3]",
        "a.kernel[0:3]x]", "b.kernel[0:3]", "a.kernel[0:3,6:12,]"})
    CHECK_FALSE(box_in(other, "a.kernel"));
}
TEST_CASE("each part once, and files of like size") {
  // [8, 6] cut in two along the first of two axes of the mesh, and three whole ones
  std::vector<placed_leaf> const leaves{leaf("w", {8, 6}, {2, 2}, {{0, -1, -1, -1}}, {4, 6}),
                                        leaf("x", {24}, {2, 2}, {}, {24}), leaf("y", {24}, {2, 2}, {}, {24}),
                                        leaf("z", {1}, {2, 2}, {}, {1})};
  auto const parts = parts_to_save(leaves, 4);
  REQUIRE(parts.size() == 5);
  CHECK(parts[0].name == "w[0:4,0:6]");
  CHECK(parts[0].rank == 0);
  CHECK(parts[1].name == "w[4:8,0:6]");
  CHECK(parts[1].rank == 2);
  CHECK(parts[2].name == "x");
  CHECK(parts[2].rank == 1);
  CHECK(parts[3].rank == 3);
  auto const files = files_of(parts, 4, "model");
  CHECK(files[3] == "model-00004-of-00004.safetensors");
  CHECK(files_of({parts[3]}, 4, "model.1") ==
        std::vector<std::string>{"", "", "", "model.1-00001-of-00001.safetensors"});
}
TEST_CASE("what is in one part is whole, and padding is in none") {
  CHECK(parts_to_save({leaf("w", {8}, {1}, {{0, -1, -1, -1}}, {8})}, 1)[0].name == "w");
  CHECK(parts_to_save({leaf("w", {0, 8}, {2}, {{1, -1, -1, -1}}, {0, 4})}, 2).size() == 1);
  auto const parts = parts_to_save({leaf("w", {5}, {4}, {{0, -1, -1, -1}}, {2})}, 4);  // 2, 2, 1, none
  REQUIRE(parts.size() == 3);
  CHECK(parts[2].name == "w[4:5]");
}
TEST_CASE("rows of a box") {
  sizes_t const all{4, 5, 6};
  box const b{{1, 2, 3}, {2, 2, 2}};
  CHECK(row_count(b) == 4);
  CHECK(row_length(b) == 2);
  CHECK(row_begin(all, b, 0) == 1 * 30 + 2 * 6 + 3);
  CHECK(row_begin(all, b, 3) == 2 * 30 + 3 * 6 + 3);
  CHECK(row_count({{}, {}}) == 1);
  CHECK(row_count({{0, 0}, {3, 0}}) == 0);
}
TEST_CASE("new files have names that none has") {
  test_data::folder f;
  CHECK(stem_of(free_number(f.path)) == "model");
  for (char const* name : {"model-00001-of-00002.safetensors", "model.2-00001-of-00001.safetensors", "model.1.txt",
                           "other-00001-of-00001.safetensors", "model-1-of-2.safetensors"})
    std::ofstream(f / name) << "x";
  CHECK(stem_of(free_number(f.path)) == "model.1");
  // one that is written now, and one whose writer ended before this process began
  data::replacement now(f / "model.3-00001-of-00001.safetensors");
  std::string const prefix = data::detail::aside::prefix("model.3-00001-of-00002.safetensors");
  std::ofstream(f / (prefix + "2147483647-1-0.part")) << "x";
  remove_all_but(f.path, "model.2");
  CHECK_FALSE(std::filesystem::exists(f / (prefix + "2147483647-1-0.part")));
  now.commit();
  CHECK_FALSE(std::filesystem::exists(f / "model-00001-of-00002.safetensors"));
  for (char const* name : {"model.2-00001-of-00001.safetensors", "model.1.txt", "other-00001-of-00001.safetensors",
                           "model-1-of-2.safetensors"})
    CHECK(std::filesystem::exists(f / name));
}
