// SPDX-License-Identifier: BSD-3-Clause
// Updating in place gives the bits of updating a copy: no result is written over what its kernel still reads.
#include <etna/optim/adam.hpp>

#include "same.hpp"

using namespace test;

namespace {

struct layer {
  array<float, 40, 30> w;
  array<float, 30, 3> b;
};
struct model {
  layer first, second;
};

constexpr auto adam = optim::adam(0.01);
constexpr auto adam_step = jit([](model p, optim::state_of<adam, model> s, array<float, 40, 30> x) {
  auto g = grad([](model const& p, array<float, 40, 30> x) {
    return sum(square(p.first.w * x - p.second.w)) + sum(p.first.b * p.second.b) + sum(relu(p.second.w));
  })(p, x);
  auto [updates, next] = adam.update(g, s);
  return std::pair{optim::apply_updates(p, updates), next};
});
// the last result is made from the first argument, and all others are read before
constexpr auto rotated = jit([](array<float, 100> a, array<float, 100> b, array<float, 100> c) {
  auto x = b + c * 2;
  auto y = x * a + c;
  return std::tuple{y - b, x, a + y};
});

// products read rows that their reader would write: of the left operand, of the right one, in a loop
using wide = array<float, 640, 256>;
using whole = array<float, 256, 256>;
constexpr auto by_rows = jit([](wide w, whole m) { return w + 0.01f * dot(w, m); });
constexpr auto by_columns = jit([](whole w, whole m) { return w + 0.01f * dot(m, w); });
constexpr auto beside = jit([](wide w, array<float, 640, 24> x, array<float, 24, 256> g, array<float, 640> v) {
  wide y = w + dot(x, g);
  return std::tuple{y, x * sum(v), g * 2};
});
constexpr auto looped = jit([](wide w, array<float, 640, 24> x, array<float, 24, 256> g) {
  return fori_loop<0, 5>([&](auto const&, wide const& c) { return c - 0.01f * dot(x, g) * c; }, w);
});
// the exponentials are a temporary until the last kernel, which writes them as its result
using numbers_of_row = array<float, 3000>;
constexpr auto as_shares = [](numbers_of_row x) {
  auto e = exp(x);
  return e / sum(e);
};
constexpr auto in_result = jit(as_shares);
static_assert(plan_type<decltype(in_result)>::arena_bytes < 3000);
// the first result is read behind the statement that writes the second, and a neighbour is another element
constexpr auto read_later = jit([](numbers_of_row x) {
  auto e = exp(x);
  auto y = e * sum(e);
  return std::pair{y, e + y};
});
constexpr auto neighbours = jit([](numbers_of_row x) {
  auto e = exp(x);
  return flip(e) / sum(e) + e;
});
using square_of = array<double, 40, 40>;
constexpr auto chained = jit([](square_of w, square_of x) {
  auto a = dot(w, x) / 8;
  auto b = relu(a) - 0.5;
  auto c = dot(b, x) / 8;
  auto d = c * a;
  return dot(d + b, w) / 8 - d;
});

// sums are taken behind the elements, of what these have read; values of a row before them, and read again for each
// axis
using table = array<double, 40, 50>;
constexpr auto sums_of_rows = jit([](table x) {
  array<double, 40> s = sum<1>(x);
  table y = x * 2;
  return std::pair{y, s + sum<1>(y)};
});
constexpr auto as_sums = [](table x) {
  array<double, 50> s = sum<0>(x);
  table y = x * 2;
  return std::pair{y, s + sum<0>(y)};
};
constexpr auto sums_of_columns = jit(as_sums);
constexpr auto sums_of_a_temporary = jit([](table x, array<double, 50, 50> w) {
  auto [y, s] = as_sums(dot(x, w));
  return dot(y, w) + s;
});
constexpr auto value_of_a_row = jit([](array<double, 5> a, array<double, 6, 5, 7> x) {
  array<double, 5> r = exp(a);
  array<double, 5> s = sum<0, 2>(x * expand_dims<1>(a));
  return std::pair{r, s * r};
});

/// Moved-in arguments may be written over: the numbers are those of copies, and of the function outside jit.
template <class... A, class F> void in_place_is_copied(jitted<F> const& f) {
  auto numbers = []<std::size_t... I>(std::index_sequence<I...>) { return std::tuple<A...>{some<A>(int(I) + 1)...}; };
  std::tuple<A...> kept = numbers(std::index_sequence_for<A...>{}), moved = numbers(std::index_sequence_for<A...>{});
  auto want = std::apply([&](auto const&... x) { return f(x...); }, kept);
  near(want, std::apply([&](auto const&... x) { return f.f(x...); }, kept), 2e-5);
  CHECK(same_bits(want, std::apply([&](auto&... x) { return f(std::move(x)...); }, moved)));
}

model start() {
  return {{some<array<float, 40, 30>>(1), some<array<float, 30, 3>>(2)},
          {some<array<float, 40, 30>>(3), some<array<float, 30, 3>>(4)}};
}

}  // namespace

TEST_CASE("donated arguments: Adam in place is Adam on copies") {
  auto x = some<array<float, 40, 30>>(5);
  model kept = start(), moved = start();
  auto kept_state = adam.init(kept), moved_state = adam.init(moved);
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

TEST_CASE("temporaries that end in the kernel that reads them") {
  in_place_is_copied<numbers_of_row>(in_result);
  in_place_is_copied<numbers_of_row>(read_later);
  in_place_is_copied<numbers_of_row>(neighbours);
  in_place_is_copied<square_of, square_of>(chained);
}

TEST_CASE("sums of what is updated, and values of its rows") {
  in_place_is_copied<table>(sums_of_rows);
  in_place_is_copied<table>(sums_of_columns);
  in_place_is_copied<table, array<double, 50, 50>>(sums_of_a_temporary);
  in_place_is_copied<array<double, 5>, array<double, 6, 5, 7>>(value_of_a_row);
}

TEST_CASE("donated arguments: products of what is updated") {
  using x = array<float, 640, 24>;
  using g = array<float, 24, 256>;
  in_place_is_copied<wide, whole>(by_rows);
  in_place_is_copied<whole, whole>(by_columns);
  in_place_is_copied<wide, x, g, array<float, 640>>(beside);
  in_place_is_copied<wide, x, g>(looped);
}
