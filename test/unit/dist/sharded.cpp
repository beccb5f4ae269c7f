// SPDX-License-Identifier: BSD-3-Clause
// On one process; test/ranks/placement.cpp has several.
#include <doctest/doctest.h>

#include <etna/dist/sharded.hpp>
#include <etna/etna.hpp>
#include <etna/group/one_process.hpp>
#include <sstream>

using namespace etna;
using dist::axis, dist::spec;

namespace {
using eight = dist::mesh<axis("data"_n, 4), axis("model"_n, 2)>;
using one = dist::mesh<axis("data"_n, 1)>;
using weights = dist::sharded<array<float, 2, 3>, one, spec<"data"_n>>;
struct net {
  weights w;
  array<float, 3> b;
};
constexpr auto doubled = jit([](net const& p) { return tree::map([](auto const& x) { return x + x; }, p); });
constexpr auto slope =
    jit([](net const& p) { return grad([](net const& p) { return sum(square(p.w.local)) + sum(p.b); })(p); });
}  // namespace

TEST_CASE("what a shard's type knows") {
  using A = dist::sharded<array<float, 12, 2>, eight, spec<"data"_n, "model"_n>>;
  static_assert(std::is_same_v<A::whole, array<float, 48, 4>>);
  static_assert(A::cut == dist::detail::cut{{0, 1, -1, -1}});
  static_assert(dist::any_sharded<A> && !dist::any_sharded<A::shard>);
}
TEST_CASE("what a shard knows") {
  dist::one_process alone;
  one const m(alone);
  weights const x{{{1, 2, 3}, {4, 5, 6}}};
  CHECK(x.global_shape() == std::array<extent, 2>{2, 3});
  CHECK(x.offset() == std::array<extent, 2>{0, 0});
  CHECK(x.held() == x.shape());
  dist::sharded<array<float, 2, 3>, one, spec<"data"_n>, array<float, 1, 3>> const padded{x.local};
  CHECK(padded.global_shape() == std::array<extent, 2>{1, 3});
  CHECK(padded.held() == std::array<extent, 2>{1, 3});
  CHECK(padded.padded_shape() == std::array<extent, 2>{2, 3});
}
TEST_CASE("a tree with one leaf") {
  static_assert(tree::size<net>() == 2 && tree::paths<net>()[0] == "w" && tree::paths<net>()[1] == "b");
  dist::one_process alone;
  one const m(alone);
  net const p{{{{1, 2, 3}, {4, 5, 6}}}, {7, 8, 9}};
  net const q = doubled(p);
  CHECK(q.w.local(1, 2) == 12);
  CHECK(q.b(0) == 14);
  // shards of other types stay shards of the same cut
  auto const r = tree::map([](auto const& x) { return astype<double>(x); }, p.w);
  static_assert(std::is_same_v<decltype(r), dist::sharded<array<double, 2, 3>, one, spec<"data"_n>> const>);
  CHECK(r.local(0, 1) == 2);
  auto const sums = tree::map([](auto const& x) { return sum(x); }, p);
  CHECK(sums.get<&net::b>().item() == 24);
}
TEST_CASE("derivatives are cut alike") {
  net const g = slope(net{{{{1, 2, 3}, {4, 5, 6}}}, {7, 8, 9}});
  CHECK(g.w.local(1, 2) == 12);
  CHECK(g.b(0) == 1);
}
TEST_CASE("without a mesh") {
  weights const x;
  CHECK_THROWS_WITH_AS(x.global_shape(), doctest::Contains("E172"), error);
}
TEST_CASE("printed") {
  dist::one_process alone;
  one const m(alone);
  std::ostringstream to;
  to << weights{{{1, 2, 3}, {4, 5, 6}}};
  CHECK(to.str() ==
        "float32[2, 3] by spec<data>, rank 0 of 1: [0:2, 0:3]\n"
        "[[1. 2. 3.]\n [4. 5. 6.]]");
}
