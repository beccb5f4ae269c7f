// SPDX-License-Identifier: BSD-3-Clause
// A process that says that it is one of many.
#include <doctest/doctest.h>

#include <chrono>
#include <etna/dist/modelled_group.hpp>
#include <etna/message/error.hpp>
#include <vector>

using namespace etna;

namespace {
dist::machine of_link(dist::link l) {
  dist::machine m;
  m.memory = 1e10;
  m.inside = m.between = l;
  m.ranks_a_node = 8;
  return m;
}
template <class Act> double seconds(Act const& act) {
  auto const start = std::chrono::steady_clock::now();
  act();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
}  // namespace

TEST_CASE("what a group of equal ranks gives") {
  dist::modelled_group g(4, of_link({}));
  CHECK(g.rank() == 0);
  CHECK(g.size() == 4);
  std::vector<double> const x{1, 2, 3, 4};
  auto gives = [&](std::size_t n, auto const& post) {
    std::vector<double> y(n, -1);
    g.wait(post(y.data()));
    return y;
  };
  using all = std::vector<double>;
  CHECK(gives(4, [&](double* y) { return g.all_reduce(x.data(), y, 4, dtype::f64, dist::reduction::sum); }) ==
        all{4, 8, 12, 16});
  CHECK(gives(4, [&](double* y) { return g.all_reduce(x.data(), y, 4, dtype::f64, dist::reduction::max); }) == x);
  CHECK(gives(4, [&](double* y) { return g.reduce(x.data(), y, 4, dtype::f64, dist::reduction::min, 3); }) == x);
  CHECK(gives(1, [&](double* y) { return g.reduce_scatter(x.data(), y, 1, dtype::f64, dist::reduction::sum); }) ==
        all{4});
  CHECK(gives(4, [&](double* y) { return g.all_gather(x.data(), y, 8); }) == all{1, 1, 1, 1});
  CHECK(gives(4, [&](double* y) { return g.gather(x.data(), y, 8, 0); }) == all{1, 1, 1, 1});
  CHECK(gives(1, [&](double* y) { return g.scatter(x.data(), y, 8, 0); }) == all{1});
  CHECK(gives(4, [&](double* y) { return g.all_to_all(x.data(), y, 8); }) == all{1, 1, 1, 1});
  CHECK(gives(2, [&](double* y) { return g.permute(x.data(), y, 16, 1, 3); }) == all{1, 2});
  CHECK(gives(2, [&](double* y) { return g.permute(x.data(), y, 16, 1, g.nobody); }) == all{0, 0});
  CHECK(gives(1, [&](double* y) { return g.broadcast(y, 8, 2); }) == all{-1});
  CHECK(g.collectives() == 11);
  CHECK(g.bytes() == 32 + 32 + 32 + 32 + 8 + 8 + 32 + 32 + 16 + 16 + 8);
  std::vector<std::int32_t> const i{5};
  std::vector<std::int32_t> j(1);
  g.wait(g.all_reduce(i.data(), j.data(), 1, dtype::i32, dist::reduction::sum));
  CHECK(j[0] == 20);
}
TEST_CASE("they take their time, one behind the other") {
  dist::modelled_group g(2, of_link({0.02, 1e9}));
  double x = 1, y = 0, z = 0;
  dist::ticket t, u;
  CHECK(seconds([&] {
          t = g.all_reduce(&x, &y, 1, dtype::f64, dist::reduction::sum);
          u = g.permute(&x, &z, 8, 1, 1);
          g.wait(t);
        }) >= 0.02);
  CHECK(g.test(t));
  CHECK(seconds([&] {
          t = g.all_reduce(&x, &y, 1, dtype::f64, dist::reduction::sum);
          u = g.permute(&x, &z, 8, 1, 1);
          g.wait(u);
        }) >= 0.04);
  CHECK(g.test(u));
  // there is time for others meanwhile: it says so, and does not wait
  dist::modelled_group late(2, of_link({1000, 1e9}));
  CHECK(!late.test(late.permute(&x, &z, 8, 1, 1)));
}
TEST_CASE("alone it takes no time; ranks that are not there cannot part") {
  dist::modelled_group g(1, of_link({1, 1}));
  double x = 1, y = 0;
  CHECK(seconds([&] { g.wait(g.all_reduce(&x, &y, 1, dtype::f64, dist::reduction::sum)); }) < 0.5);
  CHECK(y == 1);
  CHECK_THROWS_AS((void)g.split(0, 0), error);
  CHECK_THROWS_AS((void)g.scatter(&x, &y, 8, 1), error);
}
