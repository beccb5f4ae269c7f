// SPDX-License-Identifier: BSD-3-Clause
// The picture of a history, where gnuplot is there; the script that says what is in it.
#include <doctest/doctest.h>

#include <etna/train/picture_of_run.hpp>

#include "../data/file.hpp"

using namespace etna::train;
using namespace test_data;

namespace {
history some() {
  history h;
  for (char const* name : {"loss", "rate", "top 5's share_%"}) h.column(name);
  h.rows = {{1, {2.5, 0.1, 0.3}, 1}, {2, {1.5, 0.1, history::missing}, 1}, {3, {1.25, 0.1, 0.5}, 1}};
  return h;
}
bool has(std::string const& text, char const* part) { return text.find(part) != text.npos; }
}  // namespace

TEST_CASE("losses on the left, all else on the right, no rate") {
  auto const s = gnuplot_script(some(), "a'b");
  CHECK(has(s, "set output 'a''b/history.png'"));
  CHECK(has(s, "plot 'a''b/history.csv' using 1:2 skip 1 with"));
  CHECK(has(s, "using 1:4 skip 1 axes x1y2 with"));
  CHECK(has(s, "title 'top 5''s share_%' noenhanced"));
  CHECK(has(s, "title 'loss' noenhanced"));
  CHECK(has(s, "set y2label 'top 5''s share_%' noenhanced"));
  CHECK(!has(s, "using 1:3"));
  CHECK(has(s, "set y2tics"));
}

TEST_CASE("a script that gnuplot takes") {
  folder f;
  bool const there = std::system("gnuplot --version >/dev/null 2>&1") == 0;
  fs::create_directory(f / "it's");
  detail::write_text(f / "it's/history.csv", some().csv());
  CHECK(draw(some(), f / "it's") == there);
  CHECK(fs::exists(f / "it's/history.gp"));
  if (there) {
    auto const picture = get(f / "it's/history.png");
    REQUIRE(picture.size() > 1000);
    CHECK(picture[1] == 'P');
    CHECK(picture[2] == 'N');
  }
  history only_accuracy;
  only_accuracy.column("accuracy");
  only_accuracy.rows = {{1, {0.5}, 1}};
  detail::write_text(f / "history.csv", only_accuracy.csv());
  CHECK(draw(only_accuracy, f.path) == there);
  CHECK(!draw({}, f.path));  // nothing to see
  CHECK(error_of([&] { draw(some(), f / "missing"); }) == 123);
}
