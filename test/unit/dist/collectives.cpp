// SPDX-License-Identifier: BSD-3-Clause
// With one rank; several are in test/ranks/trees.cpp.
#include <doctest/doctest.h>

#include <cmath>
#include <etna/array/array.hpp>
#include <etna/dist/collectives.hpp>
#include <etna/group/one_process.hpp>
#include <limits>
#include <tuple>

using namespace etna;

TEST_CASE("a tree of one rank comes back as it is") {
  dist::one_process g;
  auto const named = array<float, "n"_n>::build([](float* out) { std::fill_n(out, 5, 2.0f); }, {5});
  auto const none_of_it = array<float, "n"_n>::build([](float*) {}, {0});
  auto const t = std::tuple{array<float, 2, 2>{{1, 2}, {3, std::numeric_limits<float>::infinity()}}, named, 3.5,
                            std::array<array<int>, 2>{array<int>(4), array<int>(-5)}, none_of_it};
  auto same = [&](auto const& r) {
    auto const& [a, b, c, d, e] = r;
    CHECK(a(0, 1) == 2.0f);
    CHECK(std::isinf(a(1, 1)));
    CHECK(b.size() == 5);
    CHECK(b(4) == 2.0f);
    CHECK(c == 3.5);
    CHECK(d[0].item() == 4);
    CHECK(d[1].item() == -5);
    CHECK(e.size() == 0);
  };
  same(dist::all_reduce(g, t));
  same(dist::all_reduce(g, t, dist::reduction::max));
  same(dist::broadcast(g, t));
  auto const [a, c] = dist::all_reduce_mean(g, std::tuple{std::get<0>(t), std::get<2>(t)});
  CHECK(a(1, 0) == 3.0f);
  CHECK(c == 3.5);
}
TEST_CASE("a mean wants floating leaves") {
  static_assert(dist::floating_tree<std::tuple<array<float, 3>, double>>);
  static_assert(!dist::floating_tree<std::tuple<array<float, 3>, array<int>>>);
}
