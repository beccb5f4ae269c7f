// SPDX-License-Identifier: BSD-3-Clause
// Division with remainders, rounding, infinities and NaN, nearness and small reductions: against C++ and by hand, eager
// and fused.
#include "same.hpp"

using namespace test;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), missing = std::numeric_limits<double>::quiet_NaN();

/// f of the arguments, eager and fused, is `should`.
template <class F, class U, class... A> void is(F f, U const& should, A const&... x) {
  near(f(x...), should, 0, 0);
  near(jit(f)(x...), should, 0, 0);
}

/// f of the arguments, eager and fused, is off by two units in the last place at most; zeros have their sign.
template <class F, class... A> void within_two(F f, array<double, 13> const& should, A const&... x) {
  auto check = [&](array<double, 13> const& y) {
    for (int i = 0; i < 13; ++i) {
      CAPTURE(i);
      double size = std::abs(should(i)), unit = std::nextafter(size, inf) - size;
      if (std::isnan(size)) CHECK(std::isnan(y(i)));
      else if (size == inf || size == 0) CHECK((y(i) == should(i) && std::signbit(y(i)) == std::signbit(should(i))));
      else CHECK(std::abs(y(i) - should(i)) <= 2 * unit);
    }
  };
  check(f(x...));
  check(jit(f)(x...));
}

}  // namespace

TEST_CASE("remainders are exact") {
  auto x = some<array<double, 203>>(1, -1000, 1000), y = some<array<double, 203>>(2, -3, 3);
  auto check = [&](auto const& r) {
    for (int i = 0; i < 203; ++i) {
      CAPTURE(i);
      double c = std::fmod(x(i), y(i)), python = c != 0 && (c < 0) != (y(i) < 0) ? c + y(i) : c;
      CHECK(std::get<0>(r)(i) == c);
      CHECK(std::get<1>(r)(i) == python);
      CHECK(std::get<2>(r)(i) == std::round((x(i) - python) / y(i)));
    }
  };
  auto f = [](auto const& a, auto const& b) { return std::tuple{rem(a, b), a % b, floor_divide(a, b)}; };
  check(f(x, y));
  check(jit(f)(x, y));
}

TEST_CASE("integers divide as in Python, by 0 as in XLA") {
  array<int, 8> x{7, -7, 7, -7, 6, -6, 5, -2147483647 - 1}, y{3, 3, -3, -3, 3, 3, 0, -1};
  is([](auto const& a, auto const& b) { return floor_divide(a, b); },
     array<int, 8>{2, -3, -3, 2, 2, -2, -1, -2147483647 - 1}, x, y);
  is([](auto const& a, auto const& b) { return a % b; }, array<int, 8>{1, 2, -2, -1, 0, 0, 5, 0}, x, y);
  is([](auto const& a, auto const& b) { return rem(a, b); }, array<int, 8>{1, -1, 1, -1, 0, 0, 5, 0}, x, y);
  is([](auto const& a) { return divmod(a, 4); },
     std::pair{array<std::uint32_t, 2>{2, 1073741823}, array<std::uint32_t, 2>{1, 3}},
     array<std::uint32_t, 2>{9, 4294967295u});
}

TEST_CASE("floor_divide of reals") {
  is([](auto const& a, auto const& b) { return floor_divide(a, b); }, array<double, 5>{-3, 3, -4, inf, 9},
     array<double, 5>{-7.5, 7.5, 7.5, 1, 4}, array<double, 5>{3, 2, -2, 0, 0.4});
}

TEST_CASE("rounding") {
  array<double, 8> x{-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, inf, 4503599627370497.5};
  is([](auto const& a) { return rint(a); }, array<double, 8>{-2, -2, -0., 0, 2, 2, inf, 4503599627370498}, x);
  is([](auto const& a) { return round(a, 2); }, array<double, 3>{1.23, -0.68, 100},
     array<double, 3>{1.2349, -0.675001, 99.999});
  is([](auto const& a) { return round(a, -2); }, array<double, 3>{1200, -100, 200}, array<double, 3>{1234, -50.1, 150});
  is(
      [](auto const& a) {
        return std::tuple{floor(a), ceil(a), trunc(a), fix(a), round(a)};
      },
      std::tuple{array<int, 2>{3, -4}, array<int, 2>{3, -4}, array<int, 2>{3, -4}, array<int, 2>{3, -4},
                 array<int, 2>{3, -4}},
      array<int, 2>{3, -4});
}

TEST_CASE("infinities and NaN") {
  array<float, 5> x{1, float(inf), float(-inf), float(missing), 0};
  using truths = array<bool, 5>;
  is(
      [](auto const& a) {
        return std::tuple{isfinite(a), isinf(a), isposinf(a), isneginf(a), isnan(a)};
      },
      std::tuple{truths{true, false, false, false, true}, truths{false, true, true, false, false},
                 truths{false, true, false, false, false}, truths{false, false, true, false, false},
                 truths{false, false, false, true, false}},
      x);
  constexpr float most = std::numeric_limits<float>::max();
  is([](auto const& a) { return nan_to_num(a, 7); }, array<float, 5>{1, most, -most, 7, 0}, x);
  is(
      [](auto const& a, auto const& b) {
        return std::pair{fmax(a, b), fmin(a, b)};
      },
      std::pair{array<double, 3>{2, 3, 5}, array<double, 3>{1, 3, 5}}, array<double, 3>{1, missing, 5},
      array<double, 3>{2, 3, missing});
  array<double, 2, 3> y{{1, missing, 3}, {missing, missing, missing}};
  is(
      [](auto const& a) {
        return std::tuple{nansum<1>(a), nanmax<1>(a), nanmin<1>(a), nanmean(a)};
      },
      std::tuple{array<double, 2>{4, 0}, array<double, 2>{3, missing}, array<double, 2>{1, missing}, array<double>(2.)},
      y);
}

TEST_CASE("nearness") {
  array<double, 5> x{1, 1, inf, inf, missing}, y{1 + 1e-6, 1.1, inf, -inf, missing};
  is([](auto const& a, auto const& b) { return isclose(a, b); }, array<bool, 5>{true, false, true, false, false}, x, y);
  is([](auto const& a, auto const& b) { return isclose(a, b, 0.2, 0, true); },
     array<bool, 5>{true, true, true, false, true}, x, y);
  is([](auto const& a, auto const& b) { return all(isclose(a, b)); }, array<bool>(false), x, y);
  is(
      [](auto const& a) {
        return std::pair{all(isclose(a, 2)), array_equal(a, array<double, 2>{2, 2})};
      },
      std::pair{array<bool>(true), array<bool>(false)}, array<double, 2>{2, 2 + 1e-7});
  static_assert(!array_equal(array<float, 2>{}, array<float, 3>{}).item());
}

TEST_CASE("error functions and roots to their ends") {  // against mpmath
  array<double, 13> x{-6, -1, -0., 0.7, 1e-310, 2.5, 20, 26.5, 27.2, 1e154, inf, -inf, missing};
  within_two([](auto const& a) { return erfc(a); },
             array<double, 13>{2, 1.8427007929497148, 1, 0.32219880616258156, 1, 0.0004069520174449589,
                               5.395865611607901e-176, 2.2109076642637343e-307, 1e-323, 0, 0, 2, missing},
             x);
  within_two([](auto const& a) { return erf(a); },
             array<double, 13>{-1, -0.8427007929497149, -0., 0.6778011938374184, 1.1283791670955e-310,
                               0.999593047982555, 1, 1, 1, 1, 1, -1, missing},
             x);
  auto root = jit([](auto const& a) { return cbrt(a); });  // exact, as that of the interpreter's library need not be
  near(root(array<double, 4>{27, -8, 0x1p-1074, 208063. * 208063 * 208063}), array<double, 4>{3, -2, 0x1p-358, 208063},
       0, 0);
  within_two([](auto const& a) { return cbrt(a); },
             array<double, 13>{1.2599210498948732, -0., 0, inf, -inf, missing, 4.641588833612774e-104, 10, -100, 1e-100,
                               1e100, 0.5, 4},
             array<double, 13>{2, -0., 0, inf, -inf, missing, 1e-310, 1000, -1e6, 1e-300, 1e300, 0.125, 64});
  within_two([](auto const& a, auto const& b) { return hypot(a, b); },
             array<double, 13>{inf, inf, missing, 0, 1, 5e300, 5e-320, inf, 5e-324, 0x1p1023, 13, 5e-200, 1.5},
             array<double, 13>{inf, missing, 1, 0, -0., 3e300, 3e-320, 0x1.8p1023, 0, 0x1p1023, 5, 3e-200, 1.5},
             array<double, 13>{missing, -inf, missing, -0., 1, 4e300, 4e-320, 0x1.8p1023, 5e-324, 1, 12, 4e-200, 0});
}

TEST_CASE("small functions") {
  is([](auto const& a, auto const& b) { return hypot(a, b); }, array<double, 2, 2>{{5, 5}, {3, 3}},
     array<double, 2>{3, -3}, array<double, 2, 1>{{4}, {0}});
  is([](auto const& a, auto const& b) { return hypot(a, b); }, array<double, 5>{5, 5 * 0x1p600, 0, inf, 13},
     array<double, 5>{3, 3 * 0x1p600, 0, -inf, -5}, array<double, 5>{-4, 4 * 0x1p600, 0, 1, 12});
  auto g = grad<0, 1>([](auto const& a, auto const& b) { return hypot(a, b); });
  is(g, std::tuple{array<double>(0.5), array<double>(0.5)}, array<double>(0.), array<double>(0.));  // JAX: math_kinks
  is([](auto const& a) { return heaviside(a, 0.5); }, array<double, 4>{0, 0.5, 1, missing},
     array<double, 4>{-2, 0, 3, missing});
  array<double, 2, 3> x{{1, 0, 4}, {0, 0, 7}};
  is(
      [](auto const& a) {
        return std::tuple{count_nonzero(a), count_nonzero<0>(a), ptp<1>(a), average<1>(a, array<double, 3>{1, 2, 1})};
      },
      std::tuple{array<int>(3), array<int, 3>{1, 0, 2}, array<double, 2>{4, 7}, array<double, 2>{1.25, 1.75}}, x);
  auto spread = [](auto const& a) {
    return std::tuple{var<1>(a, ddof{1}), var(a, ddof{0}), stddev<0>(a, ddof{1}, keepdims)};
  };
  auto should = std::tuple{array<double, 2>{13. / 3, 49. / 3}, array<double>(7.),
                           array<double, 1, 3>{{std::sqrt(.5), 0, std::sqrt(4.5)}}};
  near(spread(x), should);
  near(jit(spread)(x), should);
}

TEST_CASE("log and exp of pairs keep what has no sum") {
  is([](auto const& a, auto const& b) { return logaddexp(a, b); }, array<double, 4>{inf, -inf, 1000, missing},
     array<double, 4>{inf, -inf, 1000, missing}, array<double, 4>{inf, -inf, -1000, 1});
  auto g = grad<0, 1>([](auto const& a, auto const& b) { return logaddexp(a, b); });
  is(g, std::tuple{array<double>(0.5), array<double>(0.5)}, array<double>(-inf), array<double>(-inf));
}
