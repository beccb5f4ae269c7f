// SPDX-License-Identifier: BSD-3-Clause
// Spans of time, thread by thread: kept while somebody records, and not else.
#include <doctest/doctest.h>

#include <thread>

#include <etna/debug/recorder.hpp>

using namespace etna;
using debug::spans;

TEST_CASE("spans of several threads, where somebody records") {
  { debug::span before("before"); }
  REQUIRE(spans.start(100));
  CHECK(!spans.start(100));
  {
    debug::span outer("outer");
    std::thread([] { debug::span there("there"); }).join();
    debug::span inner("inner");
  }
  auto const [all, left_out] = spans.stop();
  REQUIRE(all.size() == 3);
  CHECK(left_out == 0);
  CHECK(all[0].name == "there");
  CHECK(all[1].name == "inner");
  CHECK(all[2].name == "outer");
  CHECK(all[0].thread != all[1].thread);
  CHECK(all[1].thread == all[2].thread);
  CHECK(all[1].thread == debug::recorder::thread());
  CHECK(all[2].begin <= all[0].begin);
  CHECK(all[0].end <= all[1].begin);
  CHECK(all[1].begin <= all[1].end);
  CHECK(all[1].end <= all[2].end);
}

TEST_CASE("no more than are asked for, and nothing that began before or ends behind") {
  REQUIRE(spans.start(10));
  {
    debug::span begun("in the first");
    spans.stop();
    REQUIRE(spans.start(2));
  }
  for (int i = 0; i < 5; ++i) debug::span here("here");
  auto const [all, left_out] = spans.stop();
  CHECK(all.size() == 2);
  CHECK(left_out == 3);
  CHECK(all[0].name == "here");
  { debug::span behind("behind"); }
  REQUIRE(spans.start(2));
  CHECK(spans.stop().first.empty());
}

TEST_CASE("begin and end by categories, as tools call them") {
  REQUIRE(spans.start(10));
  spans.end("kernel");  // begun before: nothing
  spans.begin("region", "a");
  spans.begin("kernel", "b");
  spans.end("region");  // not nested, and yet matched
  spans.end("kernel");
  auto const [all, left_out] = spans.stop();
  REQUIRE(all.size() == 2);
  CHECK(all[0].name == "a");
  CHECK(all[1].name == "b");
  CHECK(std::string(all[1].category) == "kernel");
}
