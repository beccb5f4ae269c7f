// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <array>
#include <etna/group/one_process.hpp>
#include <string>

using namespace etna;
using numbers = std::array<float, 3>;

TEST_CASE("collectives of one are copies") {
  dist::one_process g;
  CHECK(g.rank() == 0);
  CHECK(g.size() == 1);
  numbers const x{1, -2, 3};
  auto gives = [&](auto const& post) {
    numbers y{7, 7, 7};
    dist::ticket const t = post(y.data());
    CHECK(g.test(t));
    g.wait(t);
    return y;
  };
  for (auto r : {dist::reduction::sum, dist::reduction::max, dist::reduction::min}) {
    CHECK(gives([&](float* y) { return g.all_reduce(x.data(), y, 3, dtype::f32, r); }) == x);
    CHECK(gives([&](float* y) { return g.reduce(x.data(), y, 3, dtype::f32, r, 0); }) == x);
    CHECK(gives([&](float* y) { return g.reduce_scatter(x.data(), y, 3, dtype::f32, r); }) == x);
  }
  CHECK(gives([&](float* y) { return g.all_gather(x.data(), y, sizeof x); }) == x);
  CHECK(gives([&](float* y) { return g.gather(x.data(), y, sizeof x, 0); }) == x);
  CHECK(gives([&](float* y) { return g.scatter(x.data(), y, sizeof x, 0); }) == x);
  CHECK(gives([&](float* y) { return g.all_to_all(x.data(), y, sizeof x); }) == x);
  CHECK(gives([&](float* y) { return g.permute(x.data(), y, sizeof x, 0, 0); }) == x);
  CHECK(gives([&](float* y) { return g.permute(x.data(), y, sizeof x, g.nobody, g.nobody); }) == numbers{});
  CHECK(gives([&](float* y) { return g.broadcast(y, sizeof x, 0); }) == numbers{7, 7, 7});
  CHECK(g.split(3, 1)->size() == 1);
}
TEST_CASE("E168: a rank that is not there") {
  dist::one_process g;
  float x = 1, y = 2;
  auto refused = [&](auto const& post) {
    try {
      post();
    } catch (error const& e) {
      std::string const text = e.what();
      return e.number == 168 && text.find("there is no rank") != text.npos && text.find("; ") != text.npos;
    }
    return false;
  };
  CHECK(refused([&] { g.broadcast(&x, sizeof x, 1); }));
  CHECK(refused([&] { g.reduce(&x, &y, 1, dtype::f32, dist::reduction::sum, -1); }));
  CHECK(refused([&] { g.gather(&x, &y, sizeof x, 1); }));
  CHECK(refused([&] { g.scatter(&x, &y, sizeof x, 2); }));
  CHECK(refused([&] { g.permute(&x, &y, sizeof x, 1, 0); }));
  CHECK(refused([&] { g.permute(&x, &y, sizeof x, 0, -2); }));
}
