// SPDX-License-Identifier: BSD-3-Clause
// Compiled functions of little work, as straight-line code: the other tests compile these as kernels, so this file is a
// program of its own. Equal to the function outside jit, in any tree, with what is copied, moved in, unused or handed
// through.
#undef ETNA_MOST_STRAIGHT
#include <etna/etna.hpp>
#include <etna/exec/explain.hpp>
#include <doctest/doctest.h>

#include "same.hpp"

using namespace test;

namespace {

using vec4 = array<float, 4>;

constexpr auto cube = [](vec4 x) { return sum(x * x * x); };
constexpr auto gradient = jit(grad(cube));
constexpr auto product = jit([](vec4 x, vec4 v) { return std::get<1>(jvp(grad(cube), std::tuple{x}, std::tuple{v})); });
constexpr auto curvature = jit(hessian(
    [](array<double, 3> x) { return sum(exp(x * 0.25)) + x.at<0>().get() * x.at<1>().get() * x.at<2>().get(); }));

struct pose {
  array<double, 2, 2> turn;
  array<double, 2> shift;
};
constexpr auto moved = jit([](pose p, std::array<array<double, 2>, 2> x) {
  auto at = [&](auto const& y) { return dot(p.turn, y) + p.shift; };
  return std::pair{std::array{at(x[0]), at(x[1])}, pose{transpose(p.turn), -p.shift}};
});
constexpr auto kinds =
    jit([](array<int, 3> i, array<bool, 3> b, array<double, 3> d, array<std::uint8_t, 3> u, array<std::int64_t> n) {
      return std::tuple{where(b, i * 2 - 1, -i),          b && i > 1,     astype<float>(d) + 0.5f, max(u),
                        n + sum(astype<std::int64_t>(i)), maximum(d, 0.0)};
    });
// one argument is not used, one is handed through, one result is a constant, one appears twice
constexpr auto handed = jit([](vec4 x, vec4 y, vec4 z) {
  (void)z;
  return std::tuple{y, x + y, ones<float, 2>(), x + y, y};
});
constexpr auto no_arguments = jit([] { return arange<float, 5>() * 2.0f; });
constexpr auto nothing = jit([](array<float, 0, 3> x) { return std::pair{sum<0>(x), x * 2}; });
// arguments that do not lie in their objects
constexpr auto of_heap =
    jit([](array<float, 40, 40> x, vec4 y) { return x.at<3, 7>().get() * y + x.at<39, 39>().get(); });
constexpr auto undefined =
    jit([](array<double, 2> x) { return grad([](auto x) { return sum(where(x > 0.0, sqrt(x), 0.0)); })(x); });
// too much, too large, a loop, an effect
constexpr auto too_much = jit([](array<float, 60> x) { return x * x + x; });
constexpr auto calls = jit([](array<float, 8> x) { return sin(x); });
constexpr auto large = jit([](array<float> x) { return broadcast_to<100>(x); });
constexpr auto loop =
    jit([](array<float> x) { return fori_loop<0, 3>([](auto const&, auto const& c) { return c * 2.0f; }, x); });
// single numbers: however many, kernels of them would be the same code
constexpr auto determinant = jit(grad([](array<double, 4, 4> a) {
  array<double> entry[4][4], minors[16];
  [&]<int... K>(std::integer_sequence<int, K...>) {
    ((entry[K / 4][K % 4] = slice<K / 4, K % 4>(a)), ...);
  }(std::make_integer_sequence<int, 16>{});
  for (unsigned set = 1; set < 16; ++set) {
    int const row = 4 - std::popcount(set);
    minors[set] = zeros<double>();
    double sign = 1;
    for (int j = 0; j < 4; ++j)
      if (unsigned const others = set & ~(1u << j); others != set) {
        if (others == 0) minors[set] = entry[row][j];
        else minors[set] = minors[set] + sign * entry[row][j] * minors[others];
        sign = -sign;
      }
  }
  return minors[15];
}));
constexpr auto chain = jit([](array<float> x, array<float> y) {
  array<float> z = x;
  for (int i = 0; i < 300; ++i) z = z * y + x;
  return z;
});
constexpr auto named = jit([](array<float, "n"_n> x) { return x * 2; });

template <class... A> struct types {};
template <class F, class... A> constexpr bool is_straight(jitted<F> const&, types<A...>) {
  return straight::straight_program<F, A...>::is_run;
}
static_assert(is_straight(gradient, types<vec4>{}) && is_straight(product, types<vec4, vec4>{}));
static_assert(is_straight(of_heap, types<array<float, 40, 40>, vec4>{}) && is_straight(no_arguments, types<>{}));
static_assert(is_straight(handed, types<vec4, vec4, vec4>{}) && is_straight(undefined, types<array<double, 2>>{}));
static_assert(is_straight(determinant, types<array<double, 4, 4>>{}) &&
              is_straight(chain, types<array<float>, array<float>>{}));
static_assert(!is_straight(too_much, types<array<float, 60>>{}) && !is_straight(calls, types<array<float, 8>>{}));
static_assert(!is_straight(large, types<array<float>>{}) && !is_straight(loop, types<array<float>>{}) &&
              !is_straight(named, types<array<float, "n"_n>>{}));

/// Copies, moved-in arguments and the function outside jit give the same numbers.
template <class... A, class F> void as_outside(jitted<F> const& f) {
  int seed = 0;
  std::tuple<A...> kept;
  tree::for_each([&](auto& x) { x = some<std::remove_reference_t<decltype(x)>>(++seed); }, kept);
  std::tuple<A...> moved_in = kept, before = kept;
  auto want = std::apply([&](auto const&... x) { return f.f(x...); }, kept);
  near(std::apply([&](auto const&... x) { return f(x...); }, kept), want);
  CHECK(same_bits(kept, before));
  near(std::apply([&](auto&... x) { return f(std::move(x)...); }, moved_in), want);
}

}  // namespace

TEST_CASE("straight-line calls need no Kokkos") {
  vec4 x = {1, 2, 3, -4}, v = {1, 0, 0, 2};
  CHECK(same_bits(gradient(x), vec4{3, 12, 27, 48}));
  CHECK(same_bits(product(x, v), vec4{6, 0, 0, -48}));
  x = gradient(std::move(x));
  CHECK(same_bits(x, vec4{3, 12, 27, 48}));
  CHECK(!Kokkos::is_initialized());
}

TEST_CASE("straight-line calls: trees, types and what is handed through") {
  as_outside<vec4>(gradient);
  as_outside<vec4, vec4>(product);
  as_outside<array<double, 3>>(curvature);
  as_outside<pose, std::array<array<double, 2>, 2>>(moved);
  as_outside<vec4, vec4, vec4>(handed);
  as_outside<array<float, 40, 40>, vec4>(of_heap);
  as_outside<array<double, 4, 4>>(determinant);
  as_outside<array<float>, array<float>>(chain);
  near(no_arguments(), array<float, 5>{0, 2, 4, 6, 8});
  near(nothing(zeros<float, 0, 3>()).first, zeros<float, 3>());
  auto d = undefined(array<double, 2>{-1.0, 4.0});
  CHECK(same_bits(d, array<double, 2>{0.0, 0.25}));
  array<int, 3> i = {1, 2, 3};
  array<bool, 3> b = {true, false, true};
  array<double, 3> x = {-1.5, 0, 2.25};
  array<std::uint8_t, 3> u = {3, 250, 7};
  array<std::int64_t> n = std::int64_t(1) << 60;
  auto got = kinds(i, b, x, u, n), want = kinds.f(i, b, x, u, n);
  near(got, want);
  CHECK(std::get<4>(got).item() == (std::int64_t(1) << 60) + 6);
}

TEST_CASE("straight-line calls: 0 times infinity is no number, in products too") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (double bad : {inf, inf - inf}) {
    auto const same = jit([](array<double, 3> x) { return dot(eye<double, 3>(), x); })(array<double, 3>{1, bad, 3});
    CHECK(same(0) != same(0));
    CHECK(same(2) != same(2));
    double const one = jit([](array<double, 3> x) {
      return dot(array<double, 3>{0, 1, 1}, x);
    })(array<double, 3>{bad, 2, 3});
    CHECK(one != one);
  }
}
TEST_CASE("straight-line calls: the plan says so") {
  CHECK(show_plan(gradient, vec4{}).find("run as straight-line code, ") != std::string::npos);
  CHECK(show_plan(calls, array<float, 8>{}).find("straight") == std::string::npos);
}

TEST_CASE("explain tells its numbers, and that it has no kernels") {
  constexpr auto f = jit([](vec4 x, vec4 y) { return x * y + x; });
  for (bool run : {false, true}) {
    explanation e = run ? explain(f, vec4{1, 2, 3, 4}, vec4{5, 6, 7, 8}) : explain(f);
    CHECK(e.straight);
    REQUIRE(e.kernels.size() == 1);
    CHECK(e.launches.number() == 0);
    CHECK(e.total.flops.number() == 8);
    CHECK(e.total.read.number() == 32);
    CHECK(e.total.written.number() == 16);
    CHECK(e.text().find("straight-line code") != std::string::npos);
    if (run) CHECK(e.call_seconds > 0);
    if (run) CHECK(e.call_seconds < 1e-5);  // a clock could not tell one call
  }
}

TEST_CASE("straight-line calls inside transforms, and while compiling") {
  vec4 x = {1, 2, 3, -4};
  near(grad([](vec4 x) { return sum(gradient(x) * x); })(x), 9 * x * x);
  constexpr auto twice = jit([](vec4 x) { return gradient(gradient(x)); });
  near(twice(x), 3 * square(3 * x * x));
  constexpr auto at = jit([](array<double> x) { return x * x; });
  static_assert(at(3.0) == 9.0);
}
