// SPDX-License-Identifier: BSD-3-Clause
// On one process: what a function over a mesh takes and gives. test/ranks/shard_map.cpp has several;
// test/unit/ops/rank_marks.cpp says what is refused.
#include <doctest/doctest.h>

#include <etna/dist/shard_map.hpp>
#include <etna/etna.hpp>
#include <etna/group/one_process.hpp>

using namespace etna;
using dist::axis, dist::in_specs, dist::out_specs, dist::spec;

namespace {
using line = dist::mesh<axis("data"_n, 1)>;
using grid = dist::mesh<axis("data"_n, 1), axis("model"_n, 1)>;
using open = dist::mesh<"data"_n>;
using by_rows = spec<"data"_n>;
using matrix = array<double, 2, 3>;
matrix const x{{1, 2, 3}, {4, 5, 6}};

struct layer {
  matrix w;
  array<double, 3> b;
};

constexpr auto mean_of_rows = dist::shard_map<line, in_specs<by_rows>, out_specs<spec<>>>(
    [](matrix const& t) { return pmean<"data"_n>(mean<0>(t)); });
constexpr auto same = [](auto const& t) { return t; };
}  // namespace

TEST_CASE("an argument: a sharded array, or this process's shard") {
  dist::one_process alone;
  line const m(alone);
  array<double, 3> const by_shard = mean_of_rows(x), of_placed = mean_of_rows(dist::sharded<matrix, line, by_rows>{x});
  for (int i = 0; i < 3; ++i) {
    CHECK(by_shard(i) == 2.5 + i);
    CHECK(of_placed(i) == 2.5 + i);
  }
}
TEST_CASE("without a mesh") { CHECK_THROWS_WITH_AS(mean_of_rows(x), doctest::Contains("E172"), error); }
TEST_CASE("a result: a sharded array where its spec cuts") {
  dist::one_process alone;
  line const m(alone);
  auto const y = dist::shard_map<line, in_specs<by_rows>, out_specs<by_rows>>([](auto const& t) { return t * 2.0; })(x);
  static_assert(std::is_same_v<decltype(y), dist::sharded<matrix, line, by_rows> const>);
  CHECK(y.local(1, 2) == 12);
  // the same function takes what it gave
  CHECK(dist::shard_map<line, in_specs<by_rows>, out_specs<by_rows>>([](auto const& t) { return t + t; })(y).local(
            0, 0) == 4);
  auto const whole = dist::shard_map<line, in_specs<spec<>>, out_specs<spec<>>>(same)(x);
  static_assert(std::is_same_v<decltype(whole), matrix const>);
}
TEST_CASE("trees: a struct of the user's, with arrays or with sharded arrays") {
  dist::one_process alone;
  line const m(alone);
  constexpr auto f = dist::shard_map<line, in_specs<by_rows, spec<>>, out_specs<spec<>>>(
      [](auto const& p, array<double, 3> const& v) { return psum<"data"_n>(sum(dot(p.w, v))); });
  layer const p{x, {1, 1, 1}};
  CHECK(f(p, array<double, 3>{1, 0, 2}).item() == 1 + 6 + 4 + 12);
  // of a struct all arrays are cut alike; of a tuple too
  constexpr auto g = dist::shard_map<line, in_specs<by_rows>, out_specs<by_rows>>(
      [](auto const& pair) { return std::get<0>(pair) + std::get<1>(pair); });
  std::tuple const both{dist::sharded<matrix, line, by_rows>{x}, x};
  CHECK(g(both).local(1, 1) == 10);
  // a struct that is returned keeps its type, and has shards
  auto const q = dist::shard_map<line, in_specs<by_rows>, out_specs<by_rows>>(
      [](layer const& l) { return tree::map([](auto const& w) { return w * 3.0; }, l); })(p);
  static_assert(std::is_same_v<decltype(q), layer const>);
  CHECK(q.w(1, 2) == 18);
}
TEST_CASE("a struct of sharded arrays, each cut as the argument's spec says") {
  dist::one_process alone;
  line const m(alone);
  struct pair_of_sharded {
    dist::sharded<matrix, line, by_rows> first, second;
  };
  pair_of_sharded const p{{x}, {x + x}};
  auto const y = dist::shard_map<line, in_specs<by_rows>, out_specs<by_rows>>([](auto const& t) {
    return t.template get<&pair_of_sharded::first>() + t.template get<&pair_of_sharded::second>();
  })(p);
  CHECK(y.local(0, 2) == 9);
}
TEST_CASE("a spec for each argument, and for each element of a tuple that is returned") {
  dist::one_process alone;
  line const m(alone);
  constexpr auto f = dist::shard_map<line, in_specs<by_rows, spec<none, "data"_n>, spec<>>,
                                     out_specs<by_rows, spec<none, "data"_n>, spec<>>>(
      [](auto const& a, auto const& b, auto const& s) {
        return std::tuple{a * s, b + s, psum<"data"_n>(sum(a) * s)};
      });
  auto const [a, b, s] = f(x, x, array<double>(2));
  static_assert(std::is_same_v<decltype(a), dist::sharded<matrix, line, by_rows> const>);
  static_assert(std::is_same_v<decltype(b), dist::sharded<matrix, line, spec<none, "data"_n>> const>);
  CHECK(a.local(1, 0) == 8);
  CHECK(b.local(1, 0) == 6);
  CHECK(s.item() == 42);
  // one for all
  auto const [c, d] = dist::shard_map<line, in_specs<by_rows>, out_specs<by_rows>>([](auto const& t, auto const& u) {
    return std::pair{t + u, t - u};
  })(x, x);
  CHECK(c.local(0, 1) == 4);
  CHECK(d.local(0, 1) == 0);
}
TEST_CASE("two axes, and one whose size is told at the start") {
  dist::one_process alone;
  grid const m(alone);
  constexpr auto f =
      dist::shard_map<grid, in_specs<spec<"data"_n, "model"_n>>, out_specs<spec<"model"_n>, spec<>>>([](auto const& t) {
        return std::pair{psum<"data"_n>(sum<0>(t)), psum<"data"_n, "model"_n>(sum(t))};
      });
  auto const [columns, all] = f(x);
  static_assert(std::is_same_v<decltype(columns), dist::sharded<array<double, 3>, grid, spec<"model"_n>> const>);
  CHECK(columns.local(2) == 9);
  CHECK(all.item() == 21);
  open const many(alone);
  auto const y = dist::shard_map<open, in_specs<by_rows>, out_specs<by_rows, spec<>>>([](auto const& t) {
    return std::pair{t, pmean<"data"_n>(sum(t))};
  })(x);
  static_assert(std::is_same_v<decltype(y.first)::whole, array<double, ext::mul(2, "data"_n), 3>>);
  CHECK(y.second.item() == 21);
}
TEST_CASE("replicated carries of loops, and predicates that ranks agree on, on one process") {
  dist::one_process alone;
  line const m(alone);
  constexpr auto f = dist::shard_map<line, in_specs<by_rows>, out_specs<spec<>>>([](auto const& t) {
    auto const looped = scan(
        [t](auto const& c, auto const& s) {
          return std::pair{psum<"data"_n>(sum(t)) * 0.01 * s + c, s};
        },
        array<double>(0), array<double, 3>{1, 2, 3});
    auto const grown = while_loop([](auto const& c) { return c < 10.0; },
                                  [t](auto const& c) { return c + psum<"data"_n>(sum(t)); }, looped.first);
    return cond(
        grown > 20.0, [t](auto const& c) { return psum<"data"_n>(sum(t)) + c; }, [](auto const& c) { return -c; },
        grown);
  });
  CHECK(f(x).item() == doctest::Approx(21 + 21 + 0.21 * 6));
}
