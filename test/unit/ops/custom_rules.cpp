// SPDX-License-Identifier: BSD-3-Clause
// Rows of the user's own rules and of named axes: derivatives against differences, vmap against a loop.
#include "rules.hpp"

using namespace test;
using namespace test::rules;

namespace {

using scalar = array<double>;
using vector = array<double, 3>;

// a rule that is the derivative; operands, residuals, results of unlike shapes, a whole number among each
struct by_jvp {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& x = std::get<0>(in);
    auto const& s = std::get<1>(in);
    auto f = custom_jvp(
        [](auto const& x, auto const& s, auto const& n) {
          return std::tuple{sin(x) * s, sum(x) * s, n + 1};
        },
        [](auto const& at, auto const& d, auto const& result) {
          auto const& x = std::get<0>(at);
          auto const& s = std::get<1>(at);
          auto const& dx = std::get<0>(d);
          auto const& ds = std::get<1>(d);
          auto const& [a, b, n] = result;
          return std::pair{result, std::tuple{cos(x) * dx * s + a / s * ds,
                                              sum(dx) * s + b * ds / s * astype<double>(n) / 3., std::get<2>(d)}};
        });
    auto [a, b, n] = f(x * x, s, array<int>(2));
    return a * b * astype<double>(n) + x;
  }
};
struct by_vjp {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& x = std::get<0>(in);
    auto const& s = std::get<1>(in);
    auto f = custom_vjp(
        [](auto const& x, auto const& s, auto const& n) {
          return std::tuple{n + 1, sin(x) * s, sum(x) * s};
        },
        [](auto const& x, auto const& s, auto const& n) {
          return std::pair{std::tuple{n + 1, sin(x) * s, sum(x) * s}, std::tuple{cos(x), s, sin(x), sum(x), n}};
        },
        [](auto const& kept, auto const& ct) {
          auto [c, s, i, total, n] = kept;
          auto [none, a, b] = ct;
          return std::tuple{c * s * a + s * b, sum(i * a) + total * b, n * 0};
        });
    auto [n, a, b] = f(x * x, s, array<int>(2));
    return a * b * astype<double>(n) + x;
  }
};
// one operand does not move, and of the results, which have unlike shapes, one is used here and the other there
struct in_part {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& x = std::get<0>(in);
    auto const& s = std::get<1>(in);
    auto f = custom_vjp(
        [](auto const& x, auto const& y) {
          return std::pair{x * y, sum(x + y)};
        },
        [](auto const& x, auto const& y) {
          return std::pair{std::pair{x * y, sum(x + y)}, std::pair{x, y}};
        },
        [](auto const& kept, auto const& ct) {
          return std::tuple{kept.second * ct.first + ct.second, kept.first * ct.first + ct.second};
        });
    return f(sin(x), vector{0.5, 1.5, 2}).first * s + f(x * s, x).second * x;
  }
};
// captured values of rules, which do not move: the derivative is by x alone
struct captured {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& x = std::get<0>(in);
    auto const& s = std::get<1>(in);
    auto c = stop_gradient(x * 0. + arange<double, 3>() + 1.);
    auto d = stop_gradient(s * 0. + 2.);
    auto f = custom_vjp([=](auto const& x) { return sin(x) * c; },
                        [=](auto const& x) {
                          return std::pair{sin(x) * c, cos(x) * d};
                        },
                        [=](auto const& kept, auto const& ct) { return kept * c * ct / d; });
    auto g = custom_jvp(
        [=](auto const& x) { return x * x * d; },
        [=](auto const& at, auto const& t) {
          return std::pair{std::get<0>(at) * std::get<0>(at) * d, std::get<0>(at) * std::get<0>(t) * c * d * 2. / c};
        });
    return f(x) * s + g(x * s);
  }
};
struct in_a_scan {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& x = std::get<0>(in);
    auto const& s = std::get<1>(in);
    auto f = custom_vjp([](auto const& x) { return sin(x); },
                        [](auto const& x) {
                          return std::pair{sin(x), cos(x)};
                        },
                        [](auto const& kept, auto const& ct) { return kept * ct; });
    return scan<3>([&](auto const& c) { return std::pair{f(c) + s, std::tuple<>{}}; }, x).first;
  }
};
// a loop in a rule whose carry is linear in part: its transpose is of two loops
struct loop_in_a_rule {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& x = std::get<0>(in);
    auto const& s = std::get<1>(in);
    auto power =
        custom_jvp([](auto const& x, auto const& y) { return x * x * x * y + sum(y) * x; },
                   [](auto const& at, auto const& d) {
                     auto const& x = std::get<0>(at);
                     auto const& y = std::get<1>(at);
                     auto const& t = std::get<0>(d);
                     auto const& u = std::get<1>(d);
                     auto slices = stack(y, y * 0. + 1., x);
                     auto other = stack(u, t * 0., t * 0.);
                     auto r = scan(
                         [&](auto const& c, auto const& z) {
                           auto const& [dp, n, p, twice] = c;
                           auto pt = p * t;
                           return std::pair{std::tuple{dp * x + pt, n + 1, p * x, twice + t * astype<double>(n)},
                                            std::pair{sum(dp) * sum(z.first) * 0. + sum(z.second), z.second * 0.5}};
                         },
                         std::tuple{t, array<int>(1), x, t}, std::pair{slices, other});
                     auto [dp, n, p, twice] = r.first;  // 4 x^3 t, 4, x^4, 7 t
                     auto [ys, half] = r.second;
                     auto second = [](auto const& x, auto const& t) { return std::pair{t * x, x * x}; };
                     auto [dq, q] = switch_(n, std::tuple{second, second}, x, t);
                     return std::pair{x * x * x * y + sum(y) * x, dq * x * y + 0.5 * q * t * y + 0.375 * dp / x * y +
                                                                      p / x * (0.5 * u + sum<0>(half)) + sum(ys) * x +
                                                                      sum(y) * twice / 7.};
                   });
    return power(x, sin(x)) * s;
  }
};

constexpr auto i = axis_name<"i"_n>;
constexpr auto j = axis_name<"j"_n>;
using rows = array<double, 4, 3>;

/// What one of four examples makes of all.
struct of_all {
  template <class A, class B> constexpr auto operator()(A const& r, B const& c) const {
    auto s = sum(r * r);
    auto from = ppermute<"i"_n>(r * c, std::array<std::array<int, 2>, 3>{{{2, 1}, {1, 3}, {3, 0}}});
    auto all = all_gather<"i"_n, 4>(r * s);
    auto number = astype<double>(axis_index<"i"_n>(r)) + 1.;
    auto weight = reshape<4, 3>(cos(arange<double, 12>())) * number;
    auto same = sum<0>(all_gather<"i"_n, 4>(r) * reshape<4, 3>(sin(arange<double, 12>())));
    return same + psum<"i"_n>(sin(r) * number) * r * c + pmean<"i"_n>(s) * number + pmax<"i"_n>(s * c) * r +
           pmin<"i"_n>(r * number) * s + from * from * number + sum<0>(all * weight);
  }
};
/// The same in the steps of a loop.
struct in_steps {
  template <class A, class B> constexpr auto operator()(A const& r, B const& c) const {
    auto [last, ys] = scan(
        [&](auto const& s, auto const& x) {
          auto number = astype<double>(axis_index<"i"_n>(s)) + 1.;
          auto all = all_gather<"i"_n, 4>(s * x);
          auto from = ppermute<"i"_n>(s * c, std::array<std::array<int, 2>, 3>{{{0, 1}, {1, 3}, {3, 0}}});
          return std::pair{sin(s) * c + psum<"i"_n>(x * s) * number * 0.1 + from,
                           sum(all * cos(arange<double, 4>() * number)) + x};
        },
        sin(c * sum(r)), r);
    return last + ys;
  }
};
struct collected {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& x = std::get<0>(in);
    auto const& c = std::get<1>(in);
    return vmap<0, none>([](auto const& r, auto const& c) { return of_all{}(r, c) + in_steps{}(r, c); }, i)(x, c);
  }
};
// two axes: what goes over one is alone in the other
struct crossed {
  template <class X> constexpr auto operator()(X const& in) const {
    auto const& x = std::get<0>(in);
    auto const& c = std::get<1>(in);
    return vmap<0, none>(
        [](auto const& r, auto const& c) {
          return vmap<0, none>(
              [](auto const& a, auto const& c) {
                auto number = astype<double>(axis_index<"i"_n>(a)) + 2. * astype<double>(axis_index<"j"_n>(a)) + 1.;
                auto all = all_gather<"i"_n, 4>(a * number);
                auto gaps = ppermute<"i"_n>(c, std::array<std::array<int, 2>, 2>{{{0, 1}, {1, 2}}}) * a;
                auto inner = all_gather<"j"_n, 3>(a * c * number);
                return gaps * gaps + psum<"i"_n>(a * number) * a + psum<"j"_n>(a * psum<"i"_n>(a * c)) +
                       pmax<"i"_n>(a * number) * pmin<"j"_n>(a) + sum(all * cos(arange<double, 4>())) * a +
                       sum(inner * sin(arange<double, 3>() + 1.)) +
                       ppermute<"i"_n>(a * a, std::array<std::array<int, 2>, 4>{{{0, 1}, {1, 2}, {2, 3}, {3, 0}}}) *
                           number +
                       ppermute<"j"_n>(a * c, std::array<std::array<int, 2>, 2>{{{0, 2}, {1, 0}}}) * number +
                       psum<"i"_n>(c) * pmax<"j"_n>(c) +
                       sum(all_gather<"j"_n, 3>(c) * sin(arange<double, 3>())) * pmin<"i"_n>(c);
              },
              j)(r, c);
        },
        i)(x, c);
  }
};

/// Derivatives taken inside of the vmap are those taken outside of it, also where all examples have one cotangent or
/// point.
template <class F, class X> void inside_is_outside(F const& f, X const& x) {
  auto t = some<X>(61), ct = some<X>(62);
  auto one_ct = example(ct, 0);
  auto one = [&](auto const& z) { return f(z, scalar(0.8)); };
  auto whole = [&](auto const& x) { return vmap<0>(one, i)(x); };
  auto pulled = [&](auto const& r, auto const& ct) { return vjp(one, r).second(ct); };
  alike("jvp inside", vmap<0, 0>([&](auto const& r, auto const& t) { return jvp(one, r, t).second; }, i)(x, t),
        jvp(whole, x, t).second, 1e-12);
  alike("jvp inside, one point",
        vmap<none, 0>([&](auto const& r, auto const& t) { return jvp(one, r, t).second; }, i)(example(x, 0), t),
        jvp(whole, t * 0. + example(x, 0), t).second, 1e-12);
  alike("vjp inside", vmap<0, 0>(pulled, i)(x, ct), vjp(whole, x).second(ct), 1e-12);
  alike("vjp inside, one cotangent", vmap<0, none>(pulled, i)(x, one_ct), vjp(whole, x).second(ct * 0. + one_ct),
        1e-12);
}

}  // namespace

TEST_CASE("rules: the user's") {
  auto x = some<vector>(1, 0.2, 1);
  check<both>("jvp", by_jvp{}, x, scalar(0.7));
  check<both>("vjp", by_vjp{}, x, scalar(0.7));
  check<both>("operands and results in part", in_part{}, x, scalar(0.7));
  check<both>("captured", captured{}, x, scalar(0.7));
  check<both>("in a scan", in_a_scan{}, x, scalar(0.7));
  check<both>("a loop in a rule", loop_in_a_rule{}, x, scalar(0.7));
}
TEST_CASE("rules: what a rule captures does not move") {
  auto by_captured = [](scalar const& s) {
    return custom_jvp([&](auto const& x) { return x * s; },
                      [&](auto const& at, auto const& t) {
                        return std::pair{std::get<0>(at) * s, std::get<0>(t) * s};
                      })(s);
  };
  CHECK_THROWS_WITH_AS(jvp(by_captured, scalar(0.7), scalar(1.0)), doctest::Contains("a custom rule captures"),
                       std::exception);
}
TEST_CASE("rules: named axes") {
  check<both>("collectives", collected{}, some<rows>(2), scalar(0.7));
  check<both>("two axes", crossed{}, some<rows>(3), scalar(0.7));
  inside_is_outside(of_all{}, some<rows>(4));
  inside_is_outside(in_steps{}, some<rows>(5));
}
