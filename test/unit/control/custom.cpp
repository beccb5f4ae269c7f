// SPDX-License-Identifier: BSD-3-Clause
// The user's own rules are the ones that derivatives use, in each mode and under vmap, in both lives.
#include "same.hpp"

using namespace test;

namespace {

using scalar = array<double>;
using three = array<double, 3>;

constexpr auto log1pexp = custom_jvp([](auto const& x) { return log1p(exp(x)); },
                                     [](auto const& args, auto const& dots) {
                                       auto x = std::get<0>(args);
                                       return std::pair{log1p(exp(x)), (1 - 1 / (1 + exp(x))) * std::get<0>(dots)};
                                     });
// a rule that is not the derivative, so that it is seen which one was used
constexpr auto clipped =
    custom_vjp([](auto const& x) { return x * x; },
               [](auto const& x) {
                 return std::pair{x * x, x};
               },
               [](auto const& x, auto const& ct) { return maximum(minimum(2 * x * ct, scalar(1.0)), scalar(-1.0)); });
struct pair_of {
  scalar a, b;
};
constexpr auto tripled =
    custom_vjp([](pair_of const& p, auto const& y, auto const& n) { return sin(p.a) * p.b + y * astype<double>(n); },
               [](pair_of const& p, auto const& y, auto const& n) {
                 return std::pair{sin(p.a) * p.b + y * astype<double>(n), std::tuple{cos(p.a), sin(p.a), n}};
               },
               [](auto const& r, auto const& ct) {
                 auto [c, s, n] = r;
                 return std::tuple{pair_of{3 * c * ct, s * ct}, 3 * astype<double>(n) * ct, n * 0};
               });
constexpr auto square_root = custom_root([](auto const& x, auto const& a) { return x * x - a; },
                                         [](auto const& x0, auto const& a) {
                                           return while_loop([&](auto const& x) { return abs(x * x - a) > 1e-13; },
                                                             [&](auto const& x) { return 0.5 * (x + a / x); }, x0);
                                         },
                                         [](auto const& g, auto const& y) { return y / g(scalar(1.0)); });

}  // namespace

TEST_CASE("custom_jvp: forward, reverse and second derivatives follow the rule; far out it is finite") {
  auto slope = [](scalar x) { return grad(log1pexp)(x); };
  auto second = [](scalar x) { return grad(grad(log1pexp))(x); };
  auto pushed = [](scalar x) { return jvp(log1pexp, x, scalar(2.0)); };
  double s = 1 / (1 + std::exp(-2.5));
  near(jit(slope)(scalar(2.5)), scalar(s));
  near(jit(slope)(scalar(1000.0)), scalar(1.0));
  near(jit(second)(scalar(2.5)), scalar(s * (1 - s)));
  near(jit(pushed)(scalar(2.5)), std::pair{scalar(std::log1p(std::exp(2.5))), scalar(2 * s)});
  as_eager(slope, scalar(2.5));
  as_eager(second, scalar(2.5));
  as_eager(pushed, scalar(2.5));
}

TEST_CASE("custom_vjp: the given cotangents, alone, inside and outside of a vmap") {
  near(jit([](scalar x) { return value_and_grad(clipped)(x); })(scalar(2.5)), std::pair{scalar(6.25), scalar(1.0)});
  auto inside = [](three x) { return vmap(grad(clipped))(x); };
  auto outside = [](three x) { return grad([](auto const& x) { return sum(vmap(clipped)(x)); })(x); };
  three x{0.1, 2, -5}, want{0.2, 1, -1};
  near(jit(inside)(x), want);
  near(jit(outside)(x), want);
  as_eager(inside, x);
  as_eager(outside, x);
}

TEST_CASE("custom_vjp: trees, residuals and integers; the forward mode is the transpose of what is given") {
  auto g = [](scalar a, scalar b, scalar y, array<int> n) {
    return grad<0, 1>([&](auto const& p, auto const& y) { return tripled(p, y, n); })(pair_of{a, b}, y);
  };
  auto t = [](scalar a, scalar b, scalar y, array<int> n) {
    return jvp([&](auto const& p, auto const& y) { return tripled(p, y, n); }, std::tuple{pair_of{a, b}, y},
               std::tuple{pair_of{scalar(1.0), scalar(0.5)}, scalar(2.0)})
        .second;
  };
  auto [p, y] = jit(g)(scalar(0.3), scalar(0.7), scalar(1.1), array<int>(4));
  near(p.a, scalar(3 * std::cos(0.3)));
  near(p.b, scalar(std::sin(0.3)));
  near(y, scalar(12.0));
  near(jit(t)(scalar(0.3), scalar(0.7), scalar(1.1), array<int>(4)),
       scalar(3 * std::cos(0.3) + 0.5 * std::sin(0.3) + 24));
  as_eager(t, scalar(0.3), scalar(0.7), scalar(1.1), array<int>(4));
}

TEST_CASE("custom_root: the implicit function theorem, twice, through a loop that has no reverse mode") {
  auto first = [](scalar a) { return grad<1>(square_root)(scalar(1.0), a); };
  auto second = [](scalar a) { return grad([](auto const& a) { return grad<1>(square_root)(scalar(1.0), a); })(a); };
  auto each = [](three a) { return vmap([](auto const& a) { return grad<1>(square_root)(scalar(1.0), a); })(a); };
  near(jit(first)(scalar(2.0)), scalar(0.5 / std::sqrt(2.0)), 0, 1e-12);
  near(jit(second)(scalar(2.0)), scalar(-0.25 * std::pow(2.0, -1.5)), 0, 1e-12);
  near(jit(each)(three{2, 9, 100}), 0.5 / sqrt(three{2, 9, 100}), 0, 1e-12);
  as_eager(first, scalar(2.0));
  as_eager(second, scalar(2.0));
}

TEST_CASE("custom rules in a scan, under checkpoint") {
  auto f = [](scalar x, array<double, 4> xs) {
    return grad<0, 1>([](auto const& x, auto const& xs) {
      return checkpoint([](auto const& x, auto const& xs) {
        return scan(
                   [](auto const& c, auto const& t) {
                     return std::pair{log1pexp(c * t), std::tuple<>{}};
                   },
                   x, xs)
            .first;
      })(x, xs);
    })(x, xs);
  };
  auto plain = [](scalar x, array<double, 4> xs) {
    return grad<0, 1>([](auto const& x, auto const& xs) {
      return scan(
                 [](auto const& c, auto const& t) {
                   return std::pair{log1p(exp(c * t)), std::tuple<>{}};
                 },
                 x, xs)
          .first;
    })(x, xs);
  };
  array<double, 4> xs{0.3, -1, 0.8, 1.5};
  near(jit(f)(scalar(0.4), xs), jit(plain)(scalar(0.4), xs));
  as_eager(f, scalar(0.4), xs);
}

// rules with a loop that carries more than what is linear: a number that counts, and the value beside its tangent
constexpr auto six = custom_vjp(
    [](auto const& x) { return x * 6.0; },
    [](auto const& x) {
      return std::pair{x * 6.0, x};
    },
    [](auto const& x, auto const& ct) {
      auto step = [&](auto const& c) {
        auto [n, s, m, rest] = c;
        return std::pair{std::tuple{n + 1, s + ct * astype<double>(n) * m, m * x / x, rest - n}, std::tuple<>{}};
      };
      return std::get<1>(scan<4>(step, std::tuple{array<int>(0), scalar(0.0), scalar(1.0), array<int>(9)}).first);
    });
constexpr auto cubed =
    custom_jvp([](auto const& x) { return x * x * x; },
               [](auto const& a, auto const& d) {
                 auto x = std::get<0>(a), t = std::get<0>(d);
                 auto r = scan<2>(
                     [&](auto const& c) {
                       return std::pair{std::pair{c.first * x, c.second * x + c.first * t}, c.second};
                     },
                     std::pair{x, t});
                 return std::pair{r.first.first, r.first.second + 0.0 * sum(r.second)};
               });

TEST_CASE("a loop in a rule, whose carry is linear in part, has a transpose") {
  auto f = [](scalar x) {
    return std::tuple{grad(six)(x), jvp(six, x, scalar(2.0)).second, grad(cubed)(x), jvp(cubed, x, scalar(2.0)).second,
                      grad(grad(cubed))(x)};
  };
  std::tuple want{scalar(6.0), scalar(12.0), scalar(6.75), scalar(13.5), scalar(9.0)};
  near(jit(f)(scalar(1.5)), want);
  near(f(scalar(1.5)), want);
  auto each = [](three x) { return vmap(grad(cubed))(x); };
  near(jit(each)(three{1, 2, -1}), three{3, 12, 3});
  as_eager(each, three{1, 2, -1});
}

namespace {
// sin(sin(sin(x))), whose rule is a loop over value and tangent together, and reads the value behind the loop
constexpr auto thrice = custom_jvp(
    [](auto const& x) {
      return scan<3>([](auto const& c) { return std::pair{sin(c), c}; }, x).first;
    },
    [](auto const& xs, auto const& ts) {
      auto both = [](auto const& c, auto const& d) { return std::tuple{sin(c), cos(c) * d}; };
      auto [c, d] = scan<2>(
                        [&](auto const& s) {
                          return std::pair{both(std::get<0>(s), std::get<1>(s)), std::tuple<>{}};
                        },
                        std::tuple{std::get<0>(xs), std::get<0>(ts)})
                        .first;
      auto [y, t] = checkpoint(both)(c, d);
      return std::pair{y, t * sqrt(1.0 - square(y)) / sqrt(1.0 - square(y))};
    });
constexpr auto sum_of_thrice = [](array<double, 2> x) { return sum(thrice(x)); };
}  // namespace
TEST_CASE("custom_jvp: a loop of the rule carries values and tangents, and both are read behind it") {
  array<double, 2> x{0.5, 0.25};
  auto slope = [](double c) { return std::cos(c) * std::cos(std::sin(c)) * std::cos(std::sin(std::sin(c))); };
  array<double, 2> want{slope(0.5), slope(0.25)};
  CHECK(allclose(grad(sum_of_thrice)(x), want));
  CHECK(allclose(jit(grad(sum_of_thrice))(x), want));
  CHECK(
      jit([](array<double, 2> x) { return jvp(sum_of_thrice, std::tuple{x}, std::tuple{ones<double, 2>()}).second; })(x)
          .item() == doctest::Approx(slope(0.5) + slope(0.25)));
}
