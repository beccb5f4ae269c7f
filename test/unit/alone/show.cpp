// SPDX-License-Identifier: BSD-3-Clause
// Printing a graph with a block is all that this program does: no transform has run yet.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <string>

using namespace etna;

TEST_CASE("a loop is printed with its block") {
  auto f = jit([](array<float, 3> x) {
    return scan<4>(
               [](array<float, 3> const& y) {
                 return std::pair{array<float, 3>(y * 2.0f), std::tuple<>{}};
               },
               x)
        .first;
  });
  std::string const text = show(f, zeros<float, 3>());
  CHECK(text.find("scan[4") != std::string::npos);
  CHECK(text.find("{ lambda a:f32[3] . let") != std::string::npos);
  CHECK(text.find("mul") != std::string::npos);
}
