// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <etna/dist/watch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

using namespace etna;
using dist::detail::call;

TEST_CASE("a step and a collective as words") {
  dist::detail::watch_memory fresh;
  auto* const before = dist::detail::watched;
  dist::detail::watched = &fresh;
  CHECK(dist::where() == "before its first collective");
  dist::detail::now(call::all_reduce, 51);
  CHECK(dist::where() == "last called all_reduce 51");
  dist::at_step(0);
  CHECK(dist::where() == "at step 0, last called all_reduce 51");
  dist::at_step(17);
  {
    dist::detail::waiting here(call::permute, 52, std::chrono::seconds(3));
    CHECK(dist::where() == "at step 17, waits for permute 52");
    CHECK(dist::detail::watched->limit.load() == 3'000'000'000);
  }
  CHECK(dist::where() == "at step 17, last called permute 52");
  dist::detail::waiting(call::all_to_all, (std::int64_t(1) << 54) - 1, std::chrono::seconds(3)).give_up();
  CHECK(dist::where() == "at step 17, gave up waiting for all_to_all 18014398509481983");
  dist::detail::now(call::finalize, 0);
  CHECK(dist::where() == "at step 17, last called MPI_Finalize");
  dist::detail::watched = before;
}
TEST_CASE("a line has its end, and every number") {
  dist::detail::line all;
  all << std::uint64_t(0) << " " << std::numeric_limits<std::uint64_t>::max();
  CHECK(all.text() == "0 18446744073709551615");
  for (int i = 0; i < 100; ++i) all << "more words";
  CHECK(all.text().size() == 512);
}
TEST_CASE("in a file, of which the launcher's wrapper reads") {
  auto const path = std::filesystem::temp_directory_path() / ("etna-watch-" + std::to_string(::getpid()));
  dist::at_step(4);
  dist::detail::now(call::broadcast, 7);
  auto* const before = dist::detail::watched;
  REQUIRE(dist::detail::watch_in_file(path.c_str()) == 0);
  CHECK(dist::detail::watched != before);
  CHECK(dist::where() == "at step 4, last called broadcast 7");  // it goes on from there
  dist::at_step(5);
  dist::detail::waiting const here(call::gather, 8, std::chrono::seconds(1));
  std::ifstream file(path, std::ios::binary);
  std::string const bytes{std::istreambuf_iterator<char>(file), {}};
  std::array<std::uint64_t, 2> words{};
  std::memcpy(words.data(), bytes.data(), 16);
  CHECK(words[0] == 6);
  CHECK(words[1] == (std::uint64_t(call::gather) << 56 | std::uint64_t(1) << 54 | 8));
  std::string const names = bytes.substr(64, bytes.find('\0', 64) - 64);
  CHECK(names ==
        "nothing all_reduce reduce reduce_scatter broadcast all_gather gather scatter all_to_all permute split "
        "MPI_Finalize ");
  dist::detail::watched = before;
  std::filesystem::remove(path);
  CHECK(dist::detail::watch_in_file((path / "under a file that is not there").c_str()) == ENOENT);
  CHECK(dist::detail::watched == before);
}
