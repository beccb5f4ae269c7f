// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <etna/dist/delayed_group.hpp>
#include <etna/group/one_process.hpp>
#include <vector>

using namespace etna;
using std::chrono::milliseconds;

TEST_CASE("late, and out of order") {
  dist::delayed_group g(std::make_unique<dist::one_process>(), milliseconds(20), 5);
  std::vector<double> x{1, 2, 3}, y(3);
  auto const start = std::chrono::steady_clock::now();
  auto passed = [&] { return std::chrono::steady_clock::now() - start; };
  dist::ticket const first = g.all_reduce(x.data(), y.data(), 3, dtype::f64, dist::reduction::sum);
  CHECK((!g.test(first) || passed() >= milliseconds(20)));
  g.wait(first);
  CHECK(passed() >= milliseconds(20));
  CHECK(y == x);
  CHECK(g.test(first));  // spent
  g.wait(first);

  // Of many that are due at once some come before others that were posted first.
  std::vector<dist::ticket> posted;
  for (int k = 0; k < 8; ++k) posted.push_back(g.all_gather(x.data(), y.data(), 24));
  std::vector<int> order;
  while (order.size() < posted.size())
    for (int k = 0; k < 8; ++k)
      if (std::find(order.begin(), order.end(), k) == order.end() && g.test(posted[std::size_t(k)])) order.push_back(k);
  CHECK(!std::is_sorted(order.begin(), order.end()));
}
TEST_CASE("each collective reaches the group inside") {
  dist::one_process inner;
  dist::delayed_group g(inner, milliseconds(0));
  float const x = 3;
  auto gives = [&](auto const& post) {
    float y = 0;
    g.wait(post(&y));
    return y;
  };
  CHECK(gives([&](float* y) { return g.reduce(&x, y, 1, dtype::f32, dist::reduction::max, 0); }) == 3);
  CHECK(gives([&](float* y) { return g.reduce_scatter(&x, y, 1, dtype::f32, dist::reduction::min); }) == 3);
  CHECK(gives([&](float* y) { return g.gather(&x, y, 4, 0); }) == 3);
  CHECK(gives([&](float* y) { return g.scatter(&x, y, 4, 0); }) == 3);
  CHECK(gives([&](float* y) { return g.all_to_all(&x, y, 4); }) == 3);
  CHECK(gives([&](float* y) { return g.permute(&x, y, 4, 0, 0); }) == 3);
  CHECK(gives([&](float* y) { return g.broadcast(y, 4, 0); }) == 0);
  auto const part = g.split(0, 0);
  CHECK(part->rank() == 0);
  CHECK(part->size() == 1);
}
