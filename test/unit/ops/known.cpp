// SPDX-License-Identifier: BSD-3-Clause
// A number (E035) is read out of a value. Every way to a number, in every place where a function of the user's runs:
// what a transform follows throws, all else is the right number. jit is in test/static/ops/known.cpp.
#include <doctest/doctest.h>

#include <etna/etna.hpp>
#include <etna/interop/span.hpp>
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <string>

using namespace etna;

namespace {

// cmake/check_numbers.sh compares these with the members of array.
constexpr int ways = 10;
template <class T> double read(int way, array<T> const& x) {
  auto two = stack(x, x);
  switch (way) {
    case 0: return double(T(x));  // operator T
    case 1: {
      T t = x;
      return double(t);
    }                                         // the same, unasked
    case 2: return double(x.item());          // item
    case 3: return double(two(1));            // operator()
    case 4: return double(*x.data());         // data
    case 5: return double(*two.begin());      // begin
    case 6: return double(*(two.end() - 1));  // end
    case 7: {
      double sum = 0;
      for (auto t : two) sum += double(t);
      return sum / 2;
    }
    case 8: return double(to_span(two)[1]);
    default: return double(std::max(T(x), T(0)));
  }
}
template <class F> int thrown(F&& f) {
  try {
    (void)f();
  } catch (error const& e) { return e.number; }
  return 0;
}

array<double> const five(5.0);
array<double, 2> const fives{5.0, 5.0};

// x, and meanwhile a number of it in T is read.
template <class T> struct reading {
  int way;
  double* saw;
  array<double> operator()(array<double> const& x) const {
    *saw = read(way, astype<T>(x));
    return x * 1.0;
  }
};

/// Where a value is followed in each element type: `check` gets functions that call f there.
template <class F> void each_body(F const& f, auto const& check) {
  auto of_carry = [&](auto const& c) { return f(c); };
  check([&] { (void)vmap<0>(of_carry)(fives); });
  check([&] { (void)vmap<0>(vmap<0>(of_carry))(array<double, 2, 2>{{5, 5}, {5, 5}}); });
  check([&] { (void)grad([&](auto const& x) { return sum(vmap<0>(of_carry)(x)); })(fives); });
  check([&] { (void)vmap<0>(grad(of_carry))(fives); });
  check([&] { (void)fori_loop<0, 3>([&](auto const&, auto const& c) { return f(c); }, five); });
  check([&] {
    (void)fori_loop(
        0, 3, [&](auto const&, auto const& c) { return f(c); }, five);
  });
  check([&] { (void)while_loop([](auto const& c) { return c < 0.0; }, of_carry, five); });
  check([&] { (void)while_loop<3>([](auto const& c) { return c < 0.0; }, of_carry, five); });
  check([&] { (void)while_loop([&](auto const& c) { return f(c) < 0.0; }, [](auto const& c) { return c; }, five); });
  check([&] { (void)scan([&](auto const& c, auto const& x) { return std::pair{c + x, f(x)}; }, five, fives); });
  check([&] { (void)map(of_carry, fives); });
  check([&] {
    (void)cond(
        five > 0.0, of_carry, [](auto const& x) { return x; }, five);
  });
  check([&] { (void)switch_(array<int>(1), std::tuple{of_carry, of_carry}, five); });
  check([&] { (void)checkpoint(of_carry)(five); });
  check([&] {
    (void)custom_jvp(of_carry, [](auto const& x, auto const& t) {
      return std::pair{std::get<0>(x), std::get<0>(t)};
    })(five);
  });
}
/// Where it is differentiated: a floating number of it is nobody's, bools and integers may be read.
template <class F> void each_derivative(F const& f, auto const& check) {
  auto of = [&](auto const& x) { return f(x); };
  check([&] { (void)grad(of)(five); });
  check([&] { (void)value_and_grad(of)(five); });
  check([&] { (void)grad(grad(of))(five); });
  check([&] { (void)jvp(of, five, five); });
  check([&] { (void)vjp(of, five); });
  check([&] { (void)linearize(of, five); });
  check([&] { (void)jacfwd(of)(five); });
  check([&] { (void)jacrev(of)(five); });
  check([&] { (void)hessian(of)(five); });
  check([&] { (void)grad([&](auto const& x) { return f(x) * grad([](auto const& y) { return y * y; })(x); })(five); });
  check(
      [&] { (void)grad([&](auto const& x) { return f(grad([](auto const& y) { return y * y / 2.0; })(x)); })(five); });
  check([&] {
    (void)grad([&](auto const& x) { return f(sum(vmap<0>([&](auto const& y) { return x * y / 10.0; })(fives))); })(
        five);
  });
  check([&] { (void)grad([&](auto const& x) { return grad([&](auto const& y) { return y * f(x); })(five); })(five); });
  check([&] {
    (void)grad([&](auto const& x) {
      return f(cond(
          x > 0.0, [](auto const& y) { return y * 1.0; }, [](auto const& y) { return y; }, x));
    })(five);
  });
}
/// Where it is known, though something is differentiated or mapped around it.
template <class F> void each_known(F const& f, auto const& check) {
  check([&] { (void)f(five); });
  check([&] { (void)grad([&](auto const& x) { return x * f(five); })(five); });
  check([&] { (void)grad([&](auto const& x, auto const& y) { return x * f(y); })(five, five); });
  check([&] { (void)grad([&](auto const& x) { return x * f(stop_gradient(x)); })(five); });
  check([&] { (void)grad([&](auto const& x) { return x * f(floor(x)); })(five); });  // its derivative is 0
  check([&] { (void)grad([&](auto const& x) { return x * f(5.0 + 0.0 * astype<double>(astype<int>(x))); })(five); });
  check([&] {
    (void)grad([&](auto const& x) { return x * f(grad([](auto const& y) { return y * y / 2.0; })(five)); })(five);
  });
  check([&] { (void)vmap<0>([&](auto const& x) { return x * f(five); })(fives); });
  check([&] { (void)vmap<0, none>([&](auto const& x, auto const& y) { return x * f(y); })(fives, five); });
  check([&] { (void)fori_loop<0, 3>([&](auto const&, auto const& c) { return c * f(five); }, five); });
  check([&] {
    auto [y, pull] = vjp([](auto const& x) { return x; }, five);
    (void)f(pull(five));
  });
}

int cases = 0;
template <class T> void check_all() {
  for (int way = 0; way < ways; ++way) {
    double saw = -1;
    reading<T> f{way, &saw};
    double const right = double(T(5));
    auto known = [&](auto const& call) {
      saw = -1;
      CHECK(thrown(call) == 0);
      CHECK(saw == right);
      ++cases;
    };
    auto followed = [&](auto const& call) {
      saw = -1;
      CHECK(thrown(call) == 35);
      CHECK(saw == -1);
      ++cases;
    };
    each_known(f, known);
    each_body(f, followed);
    if constexpr (std::is_floating_point_v<T>) each_derivative(f, followed);
    else each_derivative(f, known);
  }
}

}  // namespace

TEST_CASE("a floating number: known, or E035") {
  check_all<double>();
  check_all<float>();
}
TEST_CASE("an integer or bool: derivatives do not mind") {
  check_all<int>();
  check_all<bool>();
  MESSAGE(cases << " ways to a number, in their places");
}
TEST_CASE("programs that went wrong in silence") {
  CHECK(thrown([] { (void)grad([](array<double> t) { return t * std::exp(t); })(five); }) == 35);
  CHECK(thrown([] {
          (void)vmap<0>([](array<double> t) { return t > 0.0 ? t * 3.0 : -t; })(array<double, 2>{2, -2});
        }) == 35);
  CHECK(thrown([] {
          (void)fori_loop<0, 5>(
              [](auto const& i, auto const& c) {
                if (i > 2) return c + 1.0;
                return c + 0.0;
              },
              five);
        }) == 35);
  CHECK(double(grad([](array<double> t) {
          if (t > 0.0) return t * 3.0;
          return -t;
        })(five)) == 3.0);
  CHECK(double(grad([](array<double> t, array<int> n) {
          auto y = t;
          for (int i = 0; i < n; ++i) y = y * t;
          return y;
        })(array<double>(2.0), array<int>(3))) == 32.0);
  // a gradient by a C++ number is a C++ number, of which an outer derivative must not be read
  CHECK(thrown([] { (void)grad([](auto x) { return x * grad([&](auto y) { return y * x; })(3.0); })(five); }) == 35);
  CHECK(double(grad([](auto x) { return x * grad([&](auto y) { return y * x; })(array<double>(3.0)); })(five)) == 10.0);
}
TEST_CASE("a jitted function inside follows the rule, and what is over is refused") {
  static constexpr auto square_of = jit([](array<double> x) { return x * x; });
  CHECK(thrown([] { (void)grad([](array<double> x) { return x * square_of(x).item(); })(five); }) == 35);
  CHECK(thrown([] { (void)vmap<0>([](array<double> x) { return x * square_of(x).item(); })(fives); }) == 35);
  array<double> kept;
  (void)vmap<0>([&](array<double> x) { return kept = x; })(fives);
  CHECK(thrown([&] { (void)kept.item(); }) == 114);
  CHECK(thrown([&] { (void)(kept + 1.0).item(); }) == 114);
  CHECK(thrown([&] { (void)vmap<0>([&](array<double> x) { return x + kept; })(fives); }) == 114);  // of another vmap
  CHECK(thrown([&] { (void)vmap<0>([&](array<double> x) { return x + kept; })(array<double, 3>{}); }) == 114);
  (void)fori_loop<0, 2>([&](auto const&, auto const& c) { return kept = c; }, five);
  CHECK(thrown([&] { (void)kept.item(); }) == 114);
  CHECK(thrown([&] { (void)(kept + 1.0).item(); }) == 114);
}
