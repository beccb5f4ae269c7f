// SPDX-License-Identifier: BSD-3-Clause
// 64-bit integers beyond 2^53, which no double holds, stay exact: outside jit, in jit, and in constants.
#include <doctest/doctest.h>

#include <etna/etna.hpp>

using namespace etna;

namespace {
using i64 = std::int64_t;
using vec = array<i64, 3>;
constexpr i64 big = 9007199254740993;  // 2^53 + 1

// While compiling: one number.
static_assert(array<i64>(big).item() == big);
static_assert((array<i64>(big) + array<i64>(2)).item() == big + 2);
static_assert((array<i64>(big) * array<i64>(3)).item() == 3 * big);
static_assert(astype<std::int32_t>(array<i64>(big)).item() == 1);
static_assert(astype<double>(array<i64>(big)).item() == 9007199254740992.0);
static_assert(where(array<i64>(big) > array<i64>(big - 1), array<i64>(big), array<i64>(0)).item() == big);

template <class A> bool is(A const& x, std::initializer_list<i64> expected) {
  return std::equal(x.begin(), x.end(), expected.begin(), expected.end());
}
constexpr auto sums = [](vec x) {
  return std::tuple{x + vec{big, 1, 1}, sum(x), dot(x, vec{1, 1, 2}), max(x), full<i64, 2>(big)};
};
}  // namespace

TEST_CASE("literals, arithmetic, reductions and products of 64-bit integers are exact") {
  vec x{big, 1, big + 2};
  CHECK(x(0) == big);
  CHECK(is(x + 1, {big + 1, 2, big + 3}));
  CHECK(is(x * vec{1, 2, 1} - vec{0, 1, 0}, {big, 1, big + 2}));
  CHECK(is(where(x > big, x, -x), {-big, -1, big + 2}));
  CHECK(sum(x).item() == 2 * big + 3);
  CHECK(max(x).item() == big + 2);
  CHECK(argmax(vec{big, big + 1, big}).item() == 1);
  CHECK(argmin(vec{big + 1, big + 1, big}).item() == 2);
  CHECK(dot(x, vec{1, 1, 2}).item() == 3 * big + 5);
  CHECK(is(dot(array<i64, 2, 2>{{big, 0}, {0, big}}, array<i64, 2, 2>{{1, 2}, {3, 1}}), {big, 2 * big, 3 * big, big}));
  CHECK(is(full<i64, 2>(big), {big, big}));
  CHECK(is(full_like(x, big), {big, big, big}));
  CHECK(is(arange<i64, 3>() + big, {big, big + 1, big + 2}));
}

TEST_CASE("reading and adding by index are exact") {
  vec x{big, 1, big + 2};
  CHECK(is(take<0>(x, array<int, 2>{2, 0}), {big + 2, big}));
  tensor_type t{dtype::i64, 1, {3}}, k{dtype::i32, 1, {2}}, u{dtype::i64, 1, {2}};
  vec base{big, 0, 0};
  array<int, 2> at{0, 2};
  array<i64, 2> add{2, big};
  i64 out[3];
  void const* in[] = {base.data(), at.data(), add.data()};
  tensor_type types[] = {t, k, u};
  void* to[] = {out};
  i64 attr[] = {0, 0};
  ops::scatter_add_p::reference({in, types, to, &t, attr, 2});
  CHECK(out[0] == big + 2);
  CHECK(out[2] == big);
}

TEST_CASE("so they are in jit") {
  vec x{big, 1, big + 2};
  constexpr auto compiled = jit(sums);
  auto [a, b, c, d, e] = compiled(x);
  auto [p, q, r, s, t] = sums(x);
  CHECK(is(a, {2 * big, 2, big + 3}));
  CHECK(std::equal(a.begin(), a.end(), p.begin()));
  CHECK(b.item() == q.item());
  CHECK(c.item() == r.item());
  CHECK(d.item() == s.item());
  CHECK(is(e, {big, big}));
  CHECK(is(t, {big, big}));
}

TEST_CASE("the reference wraps narrower integers as C++ does") {
  array<std::uint8_t, 2> x{200, 100};
  CHECK(int(sum(x * x).item()) == int(std::uint8_t(200 * 200 + 100 * 100)));
  CHECK(int(dot(x, x).item()) == int(std::uint8_t(200 * 200 + 100 * 100)));
}
