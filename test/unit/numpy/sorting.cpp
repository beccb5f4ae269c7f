// SPDX-License-Identifier: BSD-3-Clause
#include "moving.hpp"

using namespace test::moving;
using test::near, test::as_eager;
using namespace etna;
template <extent... E> using d = array<double, E...>;
using a3 = d<3, 4, 5>;
using a2 = d<4, 6>;

TEST_CASE("running values are JAX's") {
  check<a2>("cumsum", [](auto const& x) { return cumsum<0>(x); });
  check<a3>("cumsum_mid", [](auto const& x) { return cumsum<1>(x); });
  check<a2>("cumsum_flat", [](auto const& x) { return cumsum(x); });
  check<a2>("cumprod", [](auto const& x) { return cumprod<0>(x); });
  check<a3>("cumprod_mid", [](auto const& x) { return cumprod<1>(x); });
  check<a2>("cumprod_flat", [](auto const& x) { return cumprod(x); });
  check<a3>("cummax", [](auto const& x) { return cummax<1>(x); });
  check<a2>("cummin", [](auto const& x) { return cummin<0>(x, backward); });
}

TEST_CASE("sorted arrays are JAX's") {
  check<a2>("sort", [](auto const& x) { return sort(x); });
  check<a3>("sort_mid", [](auto const& x) { return sort<1>(x); });
  check<a2>("sort_descending", [](auto const& x) { return sort<0>(x, descending); });
  check<a3>("argsort", [](auto const& x) { return argsort<1>(x); });
  check<a2>("argsort_ties", [](auto const& x) { return argsort<0>(round_down(x)); });
  check<a2>("argsort_descending", [](auto const& x) { return argsort<1>(round_down(x), descending); });
  check<a2>("quantile", [](auto const& x) { return slice<range{0, rest, 3}>(sort(ravel(x) * ravel(x))); });
}

TEST_CASE("NaN is sorted last, in descending order first; equal elements keep their order") {
  double nan = std::nan(""), inf = HUGE_VAL;
  d<7> x{2, nan, -inf, 2, nan, inf, -3};
  auto up = [](d<7> const& y) { return std::pair{sort(y), argsort(y)}; };
  auto down = [](d<7> const& y) { return std::pair{sort(y, descending), argsort(y, descending)}; };
  auto check_both = [&](auto f, d<7> const& values, array<int, 7> const& places) {
    near(f(x), std::pair{values, places});
    near(jit(f)(x), std::pair{values, places});
  };
  check_both(up, {-inf, -3, 2, 2, inf, nan, nan}, {2, 6, 0, 3, 5, 1, 4});
  check_both(down, {nan, nan, inf, 2, 2, -3, -inf}, {1, 4, 5, 0, 3, 6, 2});
}

TEST_CASE("running extremes keep NaN; integers and bools run too") {
  double nan = std::nan("");
  as_eager(
      [](d<4> const& x) {
        return std::tuple{cummax(x), cummin(x, backward), cumsum(x), cumprod(x, backward)};
      },
      d<4>{1, nan, 0, 3});
  as_eager(
      [](array<int, 5> const& x) {
        return std::tuple{cumsum(x), cumprod(x), cummax(x), sort(x, descending), cumsum(less(x, 3))};
      },
      array<int, 5>{3, -1, 4, 1, 5});
  as_eager(
      [](array<bool, 4> const& x) {
        return std::tuple{sort(x), argsort(x), cumsum(x, backward)};
      },
      array<bool, 4>{true, false, true, false});
}

TEST_CASE("top_k: the greatest and where they were") {
  auto f = [](d<2, 4> const& x) { return top_k<2>(x); };
  d<2, 4> x{{1, 4, 4, 2}, {-1, -3, -2, -4}};
  auto want = std::pair{d<2, 2>{{4, 4}, {-1, -2}}, array<int, 2, 2>{{1, 2}, {0, 2}}};
  near(f(x), want);
  near(jit(f)(x), want);
}

TEST_CASE("an axis with a name runs and sorts") {
  using N = array<float, "n"_n, 3>;
  N x = test::some<N>(3, -1, 1, {5, 3});
  as_eager(
      [](N const& y) {
        return std::tuple{cumsum<0>(y), cumprod<0>(y), sort<0>(y), argsort<0>(y), cumprod<0>(y, backward), flip<0>(y)};
      },
      x);
  as_eager(grad([](N const& y) { return sum(cumprod<0>(y) * sort<0>(y)); }), x);
}

namespace {
/// The first of rows in order, asked for so and as a slice; with equal elements, NaN, infinities, and zeros of both
/// signs.
constexpr auto first_of_rows = [](auto x) {
  auto up = sort<-1>(x), down = sort<-1>(x, descending);
  return std::tuple{top_k<1>(x),
                    top_k<7>(x),
                    slice<every, range{0, 5}>(up),
                    slice<every, range{0, 3}>(argsort<-1>(x)),
                    slice<every, range{0, 6}>(down),
                    slice<every, range{2, 4}>(up)};
};
template <class T> array<T, 5, 333> with_equals() {
  return array<T, 5, 333>::build([](T* out) {
    for (int i = 0; i < 5 * 333; ++i) {
      int const k = i * 31 % 97;
      using limits = std::numeric_limits<T>;
      out[i] = !limits::has_infinity     ? T(k - 40)
               : k == 90 && i % 2 == 0   ? limits::quiet_NaN()
               : k == 91 && i / 333 != 3 ? T(i % 2 ? limits::infinity() : T(-limits::infinity()))
               : k == 40                 ? T(i % 2 ? 0.0 : -0.0)
                                         : T(k - 40);
    }
  });
}
template <class T> void check_first() {
  auto const x = with_equals<T>();
  auto numbers = [](auto const& results) {
    std::vector<double> all;
    tree::for_each([&](auto const& a) { all.insert(all.end(), a.data(), a.data() + a.size()); }, results);
    return all;
  };
  auto const mine = numbers(jit(first_of_rows)(x)), same = numbers(first_of_rows(x));
  REQUIRE(mine.size() == same.size());
  for (std::size_t i = 0; i < mine.size(); ++i)
    CHECK((mine[i] == same[i] || (mine[i] != mine[i] && same[i] != same[i])));
  auto const places = argsort<-1>(x, descending);  // the whole row, digit by digit
  auto const [best, at] = jit([](array<T, 5, 333> x) { return top_k<7>(x); })(x);
  for (int r = 0; r < 5; ++r)
    for (int i = 0; i < 7; ++i) CHECK(at(r, i) == places(r, i));
}
}  // namespace
TEST_CASE("the first few of a row are those of the whole row in order") {
  check_first<float>();
  check_first<double>();
  check_first<int>();
  check_first<std::uint8_t>();
  check_first<std::int64_t>();
  check_first<bfloat16>();
  auto gradient = grad([](array<float, 3, 100> x) { return sum(square(top_k<4>(x).first)); });
  auto const x = test::some<array<float, 3, 100>>(1);
  auto const g = jit(gradient)(x);
  auto const order = argsort<-1>(x, descending);
  for (int r = 0; r < 3; ++r)
    for (int i = 0; i < 100; ++i) CHECK(g(r, order(r, i)) == doctest::Approx(i < 4 ? 2 * x(r, order(r, i)) : 0));
}
