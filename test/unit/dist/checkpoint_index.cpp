// SPDX-License-Identifier: BSD-3-Clause
// Indexes that do not tell the truth; test/ranks/checkpoint.cpp has those that do.
#include <doctest/doctest.h>

#include <etna/dist/checkpoint_index.hpp>
#include <fstream>

#include "../data/file.hpp"

using namespace etna;
using namespace etna::dist::detail;
using test_data::error_of;

namespace {
using bytes = test_data::bytes;

struct written_files : test_data::folder {
  void file(std::string const& name, std::vector<data::entry> const& entries) {
    data::write_safetensors(*this / name, entries);
  }
  void index(std::string const& text) { std::ofstream(*this / index_name) << text; }
  int error() const {
    return error_of([&] { checkpoint_index{path}; });
  }
  // What reading "w" as [4] of bytes gives; or the error.
  int error_of_w(bytes* out = nullptr) const {
    bytes r(4);
    int const e = error_of([&] {
      checkpoint_index from(path);
      from.look("w");
      box const wanted{{0}, {4}};
      from.read(from.find("w", wanted), wanted, {4}, 1, r.data());
    });
    if (out) *out = r;
    return e;
  }
};
bytes const four{1, 2, 3, 4}, half{1, 2}, other{3, 4};
std::string const two_parts =
    R"({"metadata": {"whole_shapes": {"w": [4]}}, "weight_map": {"w[0:2]": "a", "w[2:4]": "b"}})";
}  // namespace

TEST_CASE("parts of two files") {
  written_files c;
  c.file("a", {{"w[0:2]", "U8", {2}, half}});
  c.file("b", {{"w[2:4]", "U8", {2}, other}});
  c.index(two_parts);
  bytes r;
  CHECK(c.error_of_w(&r) == 0);
  CHECK(r == four);
  // The other parts are not opened for what lies in one.
  std::filesystem::remove(c / "b");
  checkpoint_index from(c.path);
  CHECK(from.find("w", {{0}, {2}}).size() == 1);
  CHECK(error_of([&] { from.find("w", {{1}, {2}}); }) == 120);
}
TEST_CASE("a public checkpoint, of one file and of several") {
  written_files c;
  c.file("model.safetensors", {{"w", "U8", {4}, four}});
  CHECK(c.error_of_w() == 0);
  c.file("a", {{"w", "U8", {4}, four}, {"odd[0:2]", "U8", {4}, four}});
  c.index(R"({"metadata": {"total_size": 8}, "weight_map": {"w": "a", "odd[0:2]": "a"}})");
  CHECK(c.error_of_w() == 0);
  CHECK(checkpoint_index(c.path).has("odd[0:2]"));
}
TEST_CASE("indexes that are none") {
  for (char const* text : {"",
                           "[]",
                           "{}",
                           "{",
                           R"({"weight_map": 1})",
                           R"({"weight_map": {"w": 1}})",
                           R"({"weight_map": {"w": "../a"}})",
                           R"({"weight_map": {"w": "/a"}})",
                           R"({"weight_map": {"w": ".."}})",
                           R"({"weight_map": {"w": ""}})",
                           R"({"weight_map": {"w": "a", "w": "b"}})",
                           R"({"metadata": 1, "weight_map": {}})",
                           R"({"metadata": {"whole_shapes": 1}, "weight_map": {}})",
                           R"({"metadata": {"whole_shapes": {"w": 1}}, "weight_map": {}})",
                           R"({"metadata": {"whole_shapes": {"w": [-1]}}, "weight_map": {}})",
                           R"({"metadata": {"whole_shapes": {"w": [1e30]}}, "weight_map": {}})",
                           R"({"metadata": {"whole_shapes": {"w": [2147483648, 2147483648]}}, "weight_map": {}})",
                           R"({"metadata": {"whole_shapes": {"w": [4]}}, "weight_map": {"w[2:6]": "a"}})",
                           R"({"metadata": {"whole_shapes": {"w": [4]}}, "weight_map": {"w[0:2,0:1]": "a"}})",
                           R"({"metadata": {"whole_shapes": {"w": [4]}}, "weight_map": {"w[x]": "a"}})"}) {
    written_files c;
    c.index(text);
    CAPTURE(text);
    CHECK(c.error() == 121);
  }
  written_files c;
  CHECK(c.error() == 120);
}
TEST_CASE("files that have not what the index says") {
  written_files c;
  c.index(two_parts);
  CHECK(c.error_of_w() == 120);
  c.file("a", {{"w[0:2]", "U8", {2}, half}});
  CHECK(c.error_of_w() == 120);
  c.file("b", {{"v", "U8", {2}, half}});
  CHECK(c.error_of_w() == 121);  // no such entry
  c.file("b", {{"w[2:4]", "U16", {1}, half}});
  CHECK(c.error_of_w() == 121);  // another shape
  c.file("b", {{"w[2:4]", "I8", {2}, half}});
  CHECK(c.error_of_w() == 121);  // another dtype
  c.file("b", {{"w[2:4]", "U8", {2}, half}, {"w[1:3]", "U8", {2}, half}});
  c.index(R"({"metadata": {"whole_shapes": {"w": [4]}}, "weight_map": {"w[0:2]": "a", "w[1:3]": "b"}})");
  CHECK(c.error_of_w() == 121);  // they overlap
  c.index(R"({"metadata": {"whole_shapes": {"w": [4]}}, "weight_map": {"w[0:2]": "a"}})");
  CHECK(c.error_of_w() == 121);  // one is missing
}
