// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <etna/group/mesh.hpp>
#include <etna/group/one_process.hpp>
#include <string>

using namespace etna;
using dist::axis;

TEST_CASE("places count the last axis fastest") {
  constexpr int size[] = {2, 3, 4};
  static_assert(dist::detail::place_along(23, size, 3, 0) == 1 && dist::detail::place_along(23, size, 3, 1) == 2);
  static_assert(dist::detail::place_along(23, size, 3, 2) == 3 && dist::detail::place_along(12, size, 3, 0) == 1);
  static_assert(dist::detail::place_along(5, size, 3, 1) == 1 && dist::detail::place_along(5, size, 3, 2) == 1);
}
TEST_CASE("an open axis takes what is left") {
  constexpr axis of[] = {{"x"_n, 2}, "y"_n};
  int size[2];
  CHECK(dist::detail::sizes_of(of, 2, 6, size));
  CHECK(size[1] == 3);
  CHECK_FALSE(dist::detail::sizes_of(of, 2, 5, size));
  CHECK_FALSE(dist::detail::sizes_of(of, 2, 1, size));
}
TEST_CASE("the mesh that was made last and lives") {
  using one = dist::mesh<"x"_n, axis("y"_n, 1)>;
  dist::one_process alone;
  auto const number = [] {
    try {
      (void)one::current();
    } catch (error const& e) { return e.number; }
    return 0;
  };
  CHECK(number() == 172);
  {
    one const a(alone);
    CHECK(&one::current() == &a);
    CHECK(a.size(0) == 1);
    CHECK(a.along(1).size() == 1);
    {
      one const b(alone);
      CHECK(&one::current() == &b);
    }
    CHECK(&one::current() == &a);
  }
  CHECK(number() == 172);
  static_assert(one::find("y"_n) == 1 && one::find("z"_n) == -1);
}
TEST_CASE("a mesh of two processes, and one is there") {
  dist::one_process alone;
  using two = dist::mesh<axis("data"_n, 2)>;
  std::string said;
  try {
    two const m(alone);
  } catch (error const& e) { said = e.what(); }
  CHECK(said.find("E171") != std::string::npos);
  CHECK(said.find("data 2") != std::string::npos);
}
