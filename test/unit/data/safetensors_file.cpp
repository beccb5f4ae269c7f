// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <etna/data/safetensors_file.hpp>

#include "file.hpp"

using namespace test_data;
using namespace etna::data;

namespace {
bytes const one{1, 2, 3, 4, 5, 6, 7, 8}, two{9, 10, 11};
std::vector<entry> const entries{{"w", "F32", {2, 1}, one}, {"mask", "U8", {3}, two}};
}  // namespace

TEST_CASE("parts of an array") {
  folder f;
  write_safetensors(f / "x", entries, {{"epoch", "3"}});
  safetensors_file file(f / "x");
  CHECK(file.metadata().at("epoch") == "3");
  CHECK(file.names() == std::vector<std::string>{"w", "mask"});
  CHECK(file.find("w")->shape == std::vector<std::int64_t>{2, 1});
  CHECK(file.find("v") == nullptr);
  bytes part(2);
  file.read("mask", 1, part.data(), 2);
  CHECK(part == bytes{10, 11});
  file.read("w", 3, part.data(), 2);
  CHECK(part == bytes{4, 5});
  CHECK(error_of([&] { file.read("w", 7, part.data(), 2); }) == 111);
  CHECK(error_of([&] { file.read("w", 9, part.data(), 0); }) == 111);
}
TEST_CASE("files that are none") {
  folder f;
  put(f / "short", {1, 2, 3});
  CHECK(error_of([&] { safetensors_file(f / "short"); }) == 121);
  CHECK(error_of([&] { safetensors_file(f / "missing"); }) == 120);
  write_safetensors(f / "x", entries);
  fs::resize_file(f / "x", fs::file_size(f / "x") - 1);
  CHECK(error_of([&] { safetensors_file(f / "x"); }) == 121);
  write_safetensors(f / "y", entries);
  safetensors_file cut(f / "y");
  fs::resize_file(f / "y", fs::file_size(f / "y") - 1);
  bytes part(3);
  CHECK(error_of([&] { cut.read("mask", 0, part.data(), 3); }) == 121);
}
