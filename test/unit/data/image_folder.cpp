// SPDX-License-Identifier: BSD-3-Clause
// Folders of pictures: labels, order, what is missing, and a pipeline from files to batches.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/data/image_folder.hpp>
#include <etna/data/normalise.hpp>
#include <etna/data/pipeline.hpp>
#include <etna/data/resize.hpp>

#include "pictures.hpp"

using namespace etna;
using namespace test_data;

#if ETNA_READS_PNG && ETNA_READS_JPEG
namespace {
void put_picture(fs::path const& path, std::string_view name) {
  fs::create_directories(path.parent_path());
  put(path, from_hex(picture_file(name).file));
}
}  // namespace

TEST_CASE("labels are folders") {
  folder in;
  put_picture(in / "dog" / "b.png", "colors.png");
  put_picture(in / "dog" / "a.JPG", "full.jpg");
  put_picture(in / "cat" / "2.jpeg", "gray.jpg");
  put_picture(in / "cat" / "1.png", "gray.png");
  put_picture(in / "cat" / "more" / "0.png", "colors.png");
  put(in / "dog" / "notes.txt", {1, 2});
  put(in / "readme.png", {});  // in no folder
  auto const set = data::image_folder(in.path);
  CHECK(set.labels() == std::vector<std::string>{"cat", "dog"});
  CHECK(set.size() == 5);
  std::vector<std::string> names;
  for (auto const& f : set.files()) names.push_back(f.filename().string());
  CHECK(names == std::vector<std::string>{"1.png", "2.jpeg", "0.png", "a.JPG", "b.png"});
  std::vector<int> labels;
  for (std::size_t i = 0; i < set.size(); ++i) {
    auto const [x, y] = set[i];
    labels.push_back(y);
    CHECK(x.channels == 3);
  }
  CHECK(labels == std::vector{0, 0, 0, 1, 1});
  CHECK(std::get<0>(set[4]).bytes == from_hex(picture_file("colors.png").bytes));
  CHECK(std::get<0>(data::image_folder(in.path, 0)[0]).channels == 1);

  auto train = set | data::map<0>(data::resize<6, 4, 3>) | data::cache() | data::shuffle(1) |
               data::map<0>(data::normalise({0.5, 0.5, 0.5}, {0.25, 0.25, 0.25})) | data::batch<"b"_n>(2) |
               data::prefetch(2, 2);
  int batches = 0, sum = 0;
  for (auto const& [x, y] : train.epoch(0)) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(x)>, array<float, "b"_n, 6, 4, 3>>);
    ++batches;
    for (int label : y) sum += label;
  }
  CHECK(batches == 3);
  CHECK(sum == 2);
}

TEST_CASE("links are followed once, and nested folders have torchvision's order") {
  folder in;
  put_picture(in / "k" / "a" / "b" / "1.png", "gray.png");
  put_picture(in / "k" / "a-b" / "2.png", "gray.png");
  put_picture(in / "k" / "a" / "3.png", "gray.png");
  fs::create_directory_symlink(".", in / "k" / "self");
  fs::create_directory_symlink("../a", in / "k" / "a-b" / "other");
  fs::create_directory_symlink("../..", in / "k" / "a" / "up");
  put_picture(in / "elsewhere" / "4.png", "gray.png");
  fs::create_symlink("../../elsewhere/4.png", in / "k" / "a-b" / "4.png");
  fs::create_symlink("nowhere", in / "k" / "notes");  // no picture by its name
  auto names = [&] {
    std::vector<std::string> r;
    for (auto const& f : data::detail::pictures_below(in / "k")) r.push_back(f.lexically_relative(in / "k").string());
    return r;
  };
  CHECK(names() == std::vector<std::string>{"a/3.png", "a-b/2.png", "a-b/4.png", "a/b/1.png", "a/up/elsewhere/4.png"});
  CHECK(data::image_folder(in.path).labels() == std::vector<std::string>{"elsewhere", "k"});
  fs::create_symlink("nowhere", in / "k" / "9.png");
  CHECK(error_of([&] { (void)data::image_folder(in.path); }) == 101);
  fs::remove(in / "k" / "9.png");
  fs::create_symlink("round", in / "k" / "round");  // a link to itself is nothing that can be looked into
  CHECK(error_of([&] { (void)data::image_folder(in.path); }) == 128);
}

TEST_CASE("what is missing, empty or damaged is named") {
  folder in;
  auto what = [&](auto f) -> std::string {
    try {
      f();
    } catch (error const& e) { return e.what(); }
    return "";
  };
  auto open = [&] { (void)data::image_folder(in.path); };
  CHECK(error_of([&] { (void)data::image_folder(in / "no"); }) == 101);
  CHECK(error_of(open) == 164);
  fs::create_directories(in / "cat");
  CHECK(error_of(open) == 164);
  CHECK(what(open).find("cat has no .png") != std::string::npos);
  put_picture(in / "cat" / "1.png", "gray.png");
  fs::create_directories(in / "dog");
  CHECK(what(open).find("dog has no .png") != std::string::npos);
  auto whole = from_hex(picture_file("colors.png").file);
  put(in / "dog" / "cut.png", bytes(whole.begin(), whole.begin() + 90));
  auto set = data::image_folder(in.path);
  auto p = set | data::map<0>(data::resize<6, 4, 3>) | data::batch<1>() | data::prefetch(2, 1);
  int n = 0;
  auto run = [&] {
    for (auto const& x : p.epoch(0)) (void)x, ++n;
  };
  auto const said = what(run);
  CHECK(n == 1);
  CHECK(said.find("E162") == 0);
  CHECK(said.find("cut.png") != std::string::npos);
  put(in / "dog" / "cut.png", {'G', 'I', 'F'});
  CHECK(what(run).find("neither PNG") != std::string::npos);
  fs::remove(in / "dog" / "cut.png");
  CHECK(what(run).find("E101") == 0);
  CHECK(error_of([&] { (void)data::image_folder(in.path, 2); }) == 165);
}
#endif
