// SPDX-License-Identifier: BSD-3-Clause
// Updating in place gives the bits of updating a copy: no result is written over what its kernel still reads.
#include <etna/optim/adam.hpp>

#include "same.hpp"

using namespace test;

namespace {

struct layer { array<float, 40, 30> w; array<float, 30, 3> b; };
struct model { layer first, second; };

constexpr auto adam_step = jit([](model p, optim::adam_state<model> s, array<float, 40, 30> x) {
  auto g = grad([](model const& p, array<float, 40, 30> x) {
    return sum(square(p.first.w * x - p.second.w)) + sum(p.first.b * p.second.b) + sum(relu(p.second.w));
  })(p, x);
  auto [updates, next] = optim::adam{0.01f}.update(g, s);
  return std::pair{optim::apply_updates(p, updates), next};
});
// the last result is made from the first argument, and all others are read before
constexpr auto rotated = jit([](array<float, 100> a, array<float, 100> b, array<float, 100> c) {
  auto x = b + c * 2;
  auto y = x * a + c;
  return std::tuple{y - b, x, a + y};
});

model start() {
  return {{some<array<float, 40, 30>>(1), some<array<float, 30, 3>>(2)}, {some<array<float, 40, 30>>(3), some<array<float, 30, 3>>(4)}};
}

}  // namespace

TEST_CASE("donated arguments: Adam in place is Adam on copies") {
  auto x = some<array<float, 40, 30>>(5);
  model kept = start(), moved = start();
  auto kept_state = optim::adam<float>::init(kept), moved_state = optim::adam<float>::init(moved);
  for (int i = 0; i < 5; ++i) {
    std::pair a = adam_step(kept, kept_state, x), b = adam_step(std::move(moved), std::move(moved_state), x);
    kept = a.first;
    kept_state = a.second;
    CHECK(same_bits(a, b));
    moved = std::move(b.first);
    moved_state = std::move(b.second);
  }
}

TEST_CASE("donated arguments: results that are made from one another") {
  auto a = some<array<float, 100>>(1), b = some<array<float, 100>>(2), c = some<array<float, 100>>(3);
  auto want = rotated(a, b, c);
  near(want, rotated.f(a, b, c));
  auto fresh = [](int seed) { return some<array<float, 100>>(seed); };
  CHECK(same_bits(want, rotated(fresh(1), fresh(2), fresh(3))));
  CHECK(same_bits(want, rotated(fresh(1), b, fresh(3))));
}
