// SPDX-License-Identifier: BSD-3-Clause
// The table of epochs, and its CSV: what is written reads back, and what was not written is refused.
#include <doctest/doctest.h>

#include <bit>

#include <etna/train/history.hpp>

#include "../data/file.hpp"

using etna::train::history;
using test_data::error_of;

namespace {
history some() {
  history h;
  h.column("loss");
  h.rows.push_back({1, {0.1}, 1.5});
  h.column("accuracy");
  h.rows.push_back({2, {1.0 / 3, 5e-324}, 0.25});
  return h;
}
}  // namespace

TEST_CASE("reads what was written, to the last bit") {
  auto const h = some();
  auto const text = h.csv();
  CHECK(text == "epoch,loss,accuracy,seconds\n1,0.1,,1.5\n2,0.3333333333333333,5e-324,0.25\n");
  auto const back = history::read_csv(text);
  REQUIRE(back);
  CHECK(back->csv() == text);
  CHECK(back->names == h.names);
  CHECK(std::bit_cast<std::uint64_t>(back->value(2, "loss")) == std::bit_cast<std::uint64_t>(1.0 / 3));
  CHECK(std::isnan(back->value(1, "accuracy")));
  CHECK(std::isnan(back->value(3, "loss")));
  CHECK(std::isnan(back->value(0, "loss")));
  CHECK(std::isnan(back->value(1, "other")));
  auto const none = history::read_csv(history().csv());
  REQUIRE(none);
  CHECK(none->rows.empty());
  history wide;
  wide.column("x");
  for (double x : {1e300, -0.0, 1e-5, 123456789.125, HUGE_VAL})
    wide.rows.push_back({int(wide.rows.size()) + 1, {x}, 0});
  auto const again = history::read_csv(wide.csv());
  REQUIRE(again);
  for (std::size_t i = 0; i < wide.rows.size(); ++i)
    CHECK(std::bit_cast<std::uint64_t>(again->rows[i].values[0]) ==
          std::bit_cast<std::uint64_t>(wide.rows[i].values[0]));
}

TEST_CASE("what csv never writes is no history") {
  for (char const* text :
       {"", "epoch", "epoch,loss\n", "epoch,loss,seconds", "epoch,loss,seconds\n1,2\n", "epoch,loss,seconds\n2,1,1\n",
        "epoch,loss,seconds\n1,x,1\n", "epoch,loss,seconds\n1,1,1,1\n", "epoch,loss,seconds\n1,1,1", "n,loss,seconds\n",
        "epoch,,seconds\n", "epoch,loss,seconds\n\n", "epoch,seconds,seconds\n"}) {
    INFO(text);
    CHECK(!history::read_csv(text));
  }
}

TEST_CASE("E149: a name that no column can have") {
  history h;
  for (char const* name :
       {"", "a,b", "a\nb", "a\"b", "epoch", "seconds", "pr\xe9zision", "\xc3", "\xc0\xaf", "\xed\xa0\x80"})
    CHECK(error_of([&] { h.column(name); }) == 149);
  CHECK(h.names.empty());
  CHECK(h.column("top 5") == 0);
  CHECK(h.column("loss") == 1);
  CHECK(h.column("pr\xc3\xa9zision \\ \xf0\x9f\x8c\x8b") == 2);
  CHECK(h.column("top 5") == 0);
}
