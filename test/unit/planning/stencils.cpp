// SPDX-License-Identifier: BSD-3-Clause
// Stages of a stencil run tile by tile: neighbours before, behind and on both sides, of vectors and of rows, in loops
// and their derivatives. The arrays are larger than a first cache, and no multiples of a tile.
#include "groups.hpp"

using namespace test;

namespace {

template <class F, class... P> void runs(std::vector<int> const& want, F f, P const&... x) {
  CHECK(groups<F, P...>() == want);
  near(jit(f)(x...), f(x...), 1e-5);  // numbers near a hundred cancel, of products that eager evaluation rounds
}

constexpr extent n = 60001;  // two threads share it
template <extent K, class A> constexpr auto before(A const& x) {
  return pad<K, 0>(slice<range{0, A::extents[0] - K}>(x));
}
template <extent K, class A> constexpr auto behind(A const& x) {
  return pad<0, K>(slice<range{K, A::extents[0]}>(x), 1);
}

constexpr auto laplace = []<class T, extent... E>(array<T, E...> const& y) {
  auto up = pad<1, 0, 0, 0>(slice<range{0, 700}, range{0, 67}>(y)),
       down = pad<0, 1, 0, 0>(slice<range{1, 701}, range{0, 67}>(y));
  auto left = pad<0, 0, 1, 0>(slice<range{0, 701}, range{0, 66}>(y)),
       right = pad<0, 0, 0, 1>(slice<range{0, 701}, range{1, 67}>(y));
  return T(0.25) * (up + down + left + right) - y;
};
constexpr auto solve = [](array<double, 30011> x) {
  using v = array<double, 30011>;
  auto slope = [&](v const& y) { return x * concatenate(ones<double, 3>(), slice<range{0, 30008}>(y)); };
  auto step = [&](v const& y) {
    auto a = slope(y), b = slope(y + 0.1 * a), c = slope(y + 0.1 * b), d = slope(y + 0.2 * c);
    return std::pair{v(y + 0.2 / 6 * (a + 2.0 * b + 2.0 * c + d)), std::tuple<>{}};
  };
  return sum(square(scan<5>(step, zeros<double, 30011>()).first));
};
constexpr auto heat = [](auto const& y) { return y + 0.25 * (before<3>(y) - 2.0 * y + behind<3>(y)); };

}  // namespace

TEST_CASE_TEMPLATE("neighbours before and behind", T, float, double, std::int64_t) {
  using v = array<T, n>;
  auto x = some<v>(1, -3, 3), y = some<v>(2, -3, 3);
  runs(
      {4},
      [](v x, v y) {
        v a = x * before<3>(y), b = y + x * before<3>(a), c = a - x * before<3>(b);
        return x * before<4>(c) + b;
      },
      x, y);
  runs(
      {4},
      [](v x, v y) {
        v a = x * behind<3>(y), b = y + x * behind<3>(a), c = a - x * behind<70>(b);
        return x * behind<4>(c) + b;
      },
      x, y);
  runs(
      {5},
      [](v x, v y) {  // what ends inside a group: its memory is not given on before the group ends
        v a = x * before<3>(y), b = x + before<3>(a), c = x * before<3>(b), d = x + before<3>(c);
        return x * before<3>(d);
      },
      x, y);
  runs(
      {4},
      [](v x, v y) {  // one that lags, and those that only look back at it
        v a = x * y + before<3>(x), b = x - behind<9>(a), c = before<3>(b) + a;
        return before<3>(c) * c;
      },
      x, y);
  runs(
      {4},
      [](v x, v y) {  // all of them are results too, and the first is read late
        v a = x - behind<5>(y), b = a * before<4>(a), c = behind<4>(b) - before<3>(a);
        return std::tuple{c, a, b};
      },
      x, y);
}
TEST_CASE("both sides, many times: more stages than a group has") {
  using v = array<double, n>;
  runs(
      {16, 4},
      [](v y) {
        auto all = [&]<int... K>(std::integer_sequence<int, K...>) {
          v x = y;
          ((void(K), x = heat(x)), ...);
          return x;
        };
        return all(std::make_integer_sequence<int, 20>{});
      },
      some<v>(1));
}
TEST_CASE_TEMPLATE("rows of a matrix", T, TEST_FLOATS) {
  using m = array<T, 701, 67>;
  runs(
      {3}, [](m y) { return laplace(laplace(laplace(y))); }, some<m>(1));
  // of the same row: no stage lags
  auto beside = [](m y) {
    auto left = [](m const& a) { return a + pad<0, 0, 1, 0>(slice<range{0, 701}, range{0, 66}>(a)); };
    auto right = [](m const& a) { return a + pad<0, 0, 0, 1>(slice<range{0, 701}, range{1, 67}>(a)); };
    return left(right(left(right(y))));
  };
  runs({4}, beside, some<m>(1));
  auto const& p = compiler::program<decltype(beside), m>::value;
  CHECK(p.steps[3].lag == 0);
  // inside a block of both axes
  runs(
      {3},
      [](m x, m y) {
        auto inner = [](m const& a) { return pad<2, 1, 0, 5>(slice<range{1, 699}, range{3, 65}>(a)); };
        return x * inner(y * inner(x + inner(y)));
      },
      some<m>(2), some<m>(3));
}
TEST_CASE("a loop and its gradient") {
  using v = array<double, 30011>;
  runs({4}, solve, some<v>(1));
  runs(
      {4, 5}, [](v x) { return grad(solve)(x); }, some<v>(1));
}
TEST_CASE("what does not run together") {
  using v = array<double, n>;
  auto x = some<v>(1), y = some<v>(2);
  runs(
      {}, [](v x, v y) { return x * roll<1>(x * roll<1>(y)); }, x, y);  // the first element reads the last
  runs(
      {2}, [](v x, v y) { return x * flip(v(y * behind<3>(x)) + before<4>(y * behind<3>(x))); }, x, y);
  runs(
      {}, [](v x, v y) { return x * behind<n / 2>(x + behind<3>(y)); }, x, y);  // too far ahead
  runs(
      {}, [](array<double, 300> x) { return heat(heat(x)); }, some<array<double, 300>>(1));  // in cache anyway
}
TEST_CASE("the memory of a donated argument") {
  using v = array<double, n>;
  static constexpr auto step = jit([](v x, v y) {
    v a = y + before<3>(x), b = x * before<3>(a), c = b + before<3>(b) + a;
    v u = c - x;
    return std::pair{u, v(a * before<3>(u))};
  });
  auto f = [](v x, v y) { return step.f(x, y); };
  CHECK(groups<decltype(f), v, v>() == std::vector{4});
  CHECK(plan_of<decltype(f), v, v>::donated_bytes == 2 * n * 8);
  auto x = some<v>(1), y = some<v>(2);
  for (int i = 0; i < 4; ++i) {
    auto [p, q] = f(x, y);
    std::tie(x, y) = step(std::move(x), std::move(y));
    near(std::pair{x, y}, std::pair{p, q});
    x = x / max(abs(x));
    y = y / max(abs(y));
  }
}
TEST_CASE("small enough for one thread, and the plan's text") {
  using v = array<float, 9001>;
  auto f = jit([](v y) { return heat(heat(heat(y))); });
  auto y = some<v>(1);
  near(f(y), heat(heat(heat(y))));
  CHECK(show_plan(f, y).find(", with the next 2 by tiles of ") != std::string::npos);
}
