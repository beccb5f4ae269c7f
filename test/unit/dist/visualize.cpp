// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <etna/dist/placement.hpp>
#include <etna/dist/visualize.hpp>
#include <etna/group/one_process.hpp>
#include <sstream>

using namespace etna;

namespace {
std::string drawn(std::vector<int> const& sizes, dist::detail::cut const& c, int rank) {
  dist::detail::mesh_here m;
  for (int n : sizes) m.size[m.axes++] = n;
  return dist::detail::picture_of_cut(m, c, rank);
}
}  // namespace

TEST_CASE("boxes") {
  CHECK(drawn({2, 2}, {{0, 1, -1, -1}}, 2) ==
        "┌────────┬────────┐\n"
        "│ rank 0 │ rank 1 │\n"
        "├────────┼────────┤\n"
        "│ rank 2 │ rank 3 │\n"
        "└────────┴────────┘\n");
  CHECK(drawn({2, 2}, {{1, 0, -1, -1}}, 2) ==
        "┌────────┬────────┐\n"
        "│ rank 0 │ rank 2 │\n"
        "├────────┼────────┤\n"
        "│ rank 1 │ rank 3 │\n"
        "└────────┴────────┘\n");
  CHECK(drawn({3}, {{0, -1, -1, -1}}, 1) ==
        "┌────────┬────────┬────────┐\n"
        "│ rank 0 │ rank 1 │ rank 2 │\n"
        "└────────┴────────┴────────┘\n");
}
TEST_CASE("processes that have the same part") {
  CHECK(drawn({2, 2}, {{0, -1, -1, -1}}, 2) ==
        "┌──────────┐\n"
        "│ rank 0,1 │\n"
        "├──────────┤\n"
        "│ rank 2,3 │\n"
        "└──────────┘\n");
  CHECK(drawn({2}, {{-1, -1, -1, -1}}, 0) ==
        "┌──────────┐\n"
        "│ rank 0,1 │\n"
        "└──────────┘\n");
}
TEST_CASE("three axes that are cut") {
  auto const s = drawn({2, 1, 2, 2}, {{0, 1, 2, 3}}, 4);
  CHECK(s.find("axis 3: part 0 of 2\n┌") == 0);
  CHECK(s.find("axis 3: part 1 of 2\n┌") != s.npos);
  CHECK(s.find("│ rank 1 │ rank 3 │") != s.npos);
}
TEST_CASE("four") {
  auto const s = drawn({2, 2, 3, 2}, {{0, 1, 2, 3}}, 4);
  CHECK(s.find("axis 2: part 0 of 3, axis 3: part 0 of 2\n┌") == 0);
  auto const last = s.find("axis 2: part 2 of 3, axis 3: part 1 of 2\n┌");
  CHECK(last != s.npos);
  CHECK(s.find("rank 23", last) != s.npos);
}
TEST_CASE("of a sharded array") {
  dist::one_process alone;
  dist::mesh<dist::axis("data"_n, 1)> const m(alone);
  std::ostringstream to;
  dist::visualize_array_sharding(dist::device_put<dist::spec<"data"_n>>(m, array<float, 4, 2>()), to);
  CHECK(to.str() == "┌────────┐\n│ rank 0 │\n└────────┘\n");
}
